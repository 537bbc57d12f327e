package dev.trestle.server.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trestle.blob.BlockBlobs.Wanted;
import dev.trestle.model.Limits;
import dev.trestle.model.StorageError;
import dev.trestle.model.StorageException;
import java.util.List;

/** The list of blocks that a blob is to be made of is understood or refused. */
class BlockListFuzzTest {
    @FuzzTest
    void any_document_is_a_block_list_or_refused(byte[] input) {
        try {
            List<Wanted> wanted = BlobXml.readBlocks(input, 0, input.length);
            assertThat(wanted).hasSizeLessThanOrEqualTo(Limits.BLOCKS_MAX);
        } catch (StorageException e) {
            assertThat(e.error()).isIn(StorageError.INVALID_XML_DOCUMENT, StorageError.BLOCK_LIST_TOO_LONG);
        }
    }
}
