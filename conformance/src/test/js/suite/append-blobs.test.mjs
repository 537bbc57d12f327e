import assert from "node:assert/strict";
import { test } from "node:test";
import { freshContainer, put, refused, textOf } from "./blob-support.mjs";

const WRITERS = 8;
const LINES = 25;

async function freshLog(t) {
  const log = (await freshContainer(t)).getAppendBlobClient("queue/2014/07/31/1800/000001.log");
  await log.create({ conditions: { ifNoneMatch: "*" } });
  return log;
}

const append = (log, text, options) => log.appendBlock(text, Buffer.byteLength(text), options);

test("each block goes to the end", async (t) => {
  const log = await freshLog(t);
  const first = await append(log, "one\n");
  assert.deepEqual([first.blobAppendOffset, first.blobCommittedBlockCount], ["0", 1]);
  const second = await append(log, "two\n");
  assert.deepEqual([second.blobAppendOffset, second.blobCommittedBlockCount], ["4", 2]);
  assert.equal(await textOf(log), "one\ntwo\n");
  assert.equal((await log.getProperties()).blobType, "AppendBlob");
});

test("of many writers no line is torn or lost", async (t) => {
  const log = await freshLog(t);
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let line = 0; line < LINES; line++) {
        await append(log, `${writer} ${line} ${"x".repeat(line)}\n`);
      }
    }),
  );
  const lines = (await textOf(log)).trimEnd().split("\n");
  assert.equal(lines.length, WRITERS * LINES);
  for (let writer = 0; writer < WRITERS; writer++) {
    assert.deepEqual(
      lines.filter((line) => line.startsWith(`${writer} `)),
      Array.from({ length: LINES }, (_, line) => `${writer} ${line} ${"x".repeat(line)}`),
    );
  }
});

test("conditions tell of other writers and of the size", async (t) => {
  const log = await freshLog(t);
  await append(log, "12345", { conditions: { appendPosition: 0 } });
  await refused(append(log, "no", { conditions: { appendPosition: 4 } }), 412, "AppendPositionConditionNotMet");
  await refused(append(log, "67", { conditions: { maxSize: 6 } }), 412, "MaxBlobSizeConditionNotMet");
  await append(log, "6", { conditions: { maxSize: 6 } });
  assert.equal(await textOf(log), "123456");
});

test("the next file is begun by one writer only, and a sealed one ends", async (t) => {
  const log = await freshLog(t);
  await refused(log.create({ conditions: { ifNoneMatch: "*" } }), 409, "BlobAlreadyExists");
  assert.equal((await log.createIfNotExists()).succeeded, false);
  await append(log, "last\n");
  await log.seal();
  await refused(append(log, "more\n"), 409, "BlobIsSealed");
  assert.equal((await log.getProperties()).isSealed, true);
});

test("a blob does not change its type", async (t) => {
  const log = await freshLog(t);
  await refused(put(log.getBlockBlobClient(), "block"), 409, "InvalidBlobType");
});
