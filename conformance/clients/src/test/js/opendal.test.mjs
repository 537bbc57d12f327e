// Apache OpenDAL with its azblob service. Every test has a folder of its own.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Operator } from "opendal";
import { ACCOUNT, CONTAINER, ENDPOINT, KEY } from "./server.mjs";

const SECONDS = 600;

function operator(root) {
  return new Operator("azblob", {
    endpoint: ENDPOINT,
    account_name: ACCOUNT,
    account_key: KEY,
    container: CONTAINER,
    root,
  });
}

const names = async (op, path, options) => (await op.list(path, options)).map((entry) => entry.path()).sort();

test("the service is reached", async () => {
  await operator("/check/").check();
});

test("what is written is read", async () => {
  const op = operator("/read/");
  await op.write("a folder/grün 水 🚀.txt", "0123456789");
  assert.equal((await op.read("a folder/grün 水 🚀.txt")).toString(), "0123456789");
  assert.equal((await op.read("a folder/grün 水 🚀.txt", { offset: 3n, size: 4n })).toString(), "3456");
  await op.write("a folder/grün 水 🚀.txt", "replaced");
  assert.equal((await op.read("a folder/grün 水 🚀.txt")).toString(), "replaced");
  await op.write("empty", "");
  assert.equal((await op.read("empty")).length, 0);
});

test("marks that addresses reserve are kept in names", async () => {
  const op = operator("/marks/");
  const paths = ["100% & more, #1? [a+b=c];.txt", "%41%2F.txt", "two  spaces, 'quotes' and ~.txt"];
  for (const path of paths) {
    await op.write(path, path);
    assert.equal((await op.read(path)).toString(), path);
  }
  assert.deepEqual((await names(op, "/")).filter((name) => name !== "/"), paths.sort());
});

test("a large file is written in blocks and read in pieces", async () => {
  const op = operator("/large/");
  const content = randomBytes(20_000_000);
  const writer = await op.writer("large.bin", { chunk: 4_194_304n, concurrent: 2 });
  for (let start = 0; start < content.length; start += 3_000_000) {
    await writer.write(content.subarray(start, start + 3_000_000));
  }
  await writer.close();
  assert.ok(content.equals(await op.read("large.bin", { chunk: 5_000_000, concurrent: 2 })));
});

test("stat tells what was said when writing", async () => {
  const op = operator("/stat/");
  await op.write("report.html", "<p>hello</p>", {
    contentType: "text/html",
    cacheControl: "no-store",
    userMetadata: { author: "ines" },
  });
  const found = await op.stat("report.html");
  assert.equal(found.isFile(), true);
  assert.equal(found.contentLength, 12n);
  assert.equal(found.contentType, "text/html");
  assert.equal(found.cacheControl, "no-store");
  assert.deepEqual(found.userMetadata, { author: "ines" });
  assert.match(found.etag, /^"0x[0-9A-F]+"$/);
  await assert.rejects(op.stat("no such file"), /NotFound/);
  assert.equal(await op.exists("no such file"), false);
});

test("conditions keep writes from overwriting and reads from old content", async () => {
  const op = operator("/conditions/");
  await op.write("file", "first", { ifNotExists: true });
  await assert.rejects(op.write("file", "second", { ifNotExists: true }), /ConditionNotMatch/);
  const { etag } = await op.stat("file");
  assert.equal((await op.read("file", { ifMatch: etag })).toString(), "first");
  await assert.rejects(op.read("file", { ifNoneMatch: etag }), /ConditionNotMatch/);
  await op.write("file", "third");
  await assert.rejects(op.read("file", { ifMatch: etag }), /ConditionNotMatch/);
});

test("an append extends a file", async () => {
  const op = operator("/append/");
  await op.write("log", "one\n", { append: true });
  await op.write("log", "two\n", { append: true });
  assert.equal((await op.read("log")).toString(), "one\ntwo\n");
});

test("listings show folders, or everything below them, in pages", async () => {
  const op = operator("/list/");
  await op.createDir("empty folder/");
  for (let i = 0; i < 7; i++) {
    await op.write(`folder/sub/${i}`, String(i));
  }
  await op.write("folder/file", "x");
  const all = Array.from({ length: 7 }, (_, i) => `folder/sub/${i}`);
  assert.deepEqual(await names(op, "folder/"), ["folder/file", "folder/sub/"]);
  assert.deepEqual(await names(op, "folder/sub/", { limit: 2 }), all);
  assert.deepEqual(await names(op, "folder/", { recursive: true, limit: 2 }), ["folder/file", ...all]);
  assert.equal((await op.stat("empty folder/")).isDirectory(), true);
  assert.ok((await names(op, "/")).includes("empty folder/"));
});

test("a file is copied inside the service", async () => {
  const op = operator("/copy/");
  await op.write("from grün 水 🚀", "copied");
  await op.copy("from grün 水 🚀", "to/a/new place");
  assert.equal((await op.read("to/a/new place")).toString(), "copied");
});

test("files are deleted one, some and all", async () => {
  const op = operator("/delete/");
  for (let i = 0; i < 300; i++) {
    await op.write(`folder/${i}`, "x");
  }
  await op.write("kept", "x");
  await op.delete("folder/0");
  // What is gone already is no failure.
  await op.delete("folder/0");
  await op.remove(["folder/1", "folder/2", "no such file"]);
  assert.equal((await names(op, "folder/")).filter((name) => name !== "folder/").length, 297);
  await op.removeAll("folder/");
  assert.deepEqual((await names(op, "/", { recursive: true })).filter((name) => name !== "/"), ["kept"]);
});

test("presigned requests need no credentials", async () => {
  const op = operator("/presign/");
  const send = ({ method, url, headers }, body) => fetch(url, { method, headers, body });
  const written = await send(await op.presignWrite("file", SECONDS), "signed");
  assert.equal(written.status, 201, await written.text());
  const read = await send(await op.presignRead("file", SECONDS));
  assert.equal(await read.text(), "signed");
  const found = await send(await op.presignStat("file", SECONDS));
  assert.deepEqual([found.status, found.headers.get("content-length")], [200, "6"]);
});
