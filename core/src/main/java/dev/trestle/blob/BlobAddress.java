package dev.trestle.blob;

import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;

/** Which blob is meant, whether there is one or not. */
public record BlobAddress(String account, ContainerName container, BlobName name) {}
