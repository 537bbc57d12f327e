// What queues are used for: transactions across partitions that become consistent in the end. Employees are archived, which
// moves an entity from one partition of a table to another; a message makes sure that both steps are done, by whoever.
// Tests that wait run side by side, and none of them expects anything to happen within a time.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { QueueClient } from "@azure/storage-queue";
import { DEVELOPMENT } from "./accounts.mjs";
import {
  CREDENTIAL,
  LONG,
  countOf,
  eventually,
  freshName,
  freshQueue,
  isOver,
  options,
  receive,
  receiveEventually,
  refused,
  seen,
} from "./queue-support.mjs";
import { freshTable } from "./support.mjs";

const WORKERS = 8;
const FAN_OUT = 600;

/** A table with one employee who is to be archived, and the queue that says so. */
async function archive(t) {
  const [employees, jobs] = [await freshTable(t), await freshQueue(t)];
  await employees.createEntity({ partitionKey: "current", rowKey: "0099", name: "Jun Cao" });
  await jobs.sendMessage("archive 0099");
  return { employees, jobs };
}

function rowKeyOf(message) {
  return /^archive (\w+)$/.exec(message.messageText)[1];
}

/** The first step; doing it twice does no harm. */
async function insertArchived(employees, message) {
  const rowKey = rowKeyOf(message);
  const entity = await employees.getEntity("current", rowKey).catch((e) => tolerate(e, 404));
  if (entity) {
    await employees.upsertEntity({ partitionKey: "archive", rowKey, name: entity.name }, "Replace");
  }
}

/** The second step; doing it twice does no harm either. */
async function deleteCurrent(employees, message) {
  await employees.deleteEntity("current", rowKeyOf(message)).catch((e) => tolerate(e, 404));
}

function tolerate(error, statusCode) {
  if (error.statusCode !== statusCode) {
    throw error;
  }
}

async function assertArchived({ employees, jobs }) {
  assert.equal((await employees.getEntity("archive", "0099")).name, "Jun Cao");
  await assert.rejects(employees.getEntity("current", "0099"), { statusCode: 404 });
  assert.equal(await countOf(jobs), 0);
  assert.deepEqual(await receive(jobs), []);
}

describe("archiving an employee", { concurrency: true }, () => {
  test("a worker does both steps and deletes the message", async (t) => {
    const { employees, jobs } = await archive(t);
    const [message] = (await jobs.receiveMessages({ visibilityTimeout: 30 })).receivedMessageItems;
    await insertArchived(employees, message);
    await deleteCurrent(employees, message);
    await jobs.deleteMessage(message.messageId, message.popReceipt);
    await assertArchived({ employees, jobs });
  });

  test("when a worker dies between the steps, another repeats and finishes them", async (t) => {
    const { employees, jobs } = await archive(t);
    const [lost] = await receive(jobs, { visibilityTimeout: 1 });
    await insertArchived(employees, lost);

    const message = await receiveEventually(jobs);
    assert.deepEqual([message.messageId, message.dequeueCount], [lost.messageId, 2]);
    await insertArchived(employees, message);
    await deleteCurrent(employees, message);
    await jobs.deleteMessage(message.messageId, message.popReceipt);
    await assertArchived({ employees, jobs });
  });

  test("when a worker dies before it deletes the message, another finds all done and deletes it", async (t) => {
    const { employees, jobs } = await archive(t);
    const [lost] = await receive(jobs, { visibilityTimeout: 1 });
    await insertArchived(employees, lost);
    await deleteCurrent(employees, lost);

    const message = await receiveEventually(jobs);
    await insertArchived(employees, message);
    await deleteCurrent(employees, message);
    await jobs.deleteMessage(message.messageId, message.popReceipt);
    await assertArchived({ employees, jobs });
  });

  test("a worker that was too slow cannot delete the message of the one that took over", async (t) => {
    const { employees, jobs } = await archive(t);
    const [slow] = await receive(jobs, { visibilityTimeout: 1 });
    const second = await receiveEventually(jobs);
    await insertArchived(employees, slow);
    await deleteCurrent(employees, slow);
    await refused(jobs.deleteMessage(slow.messageId, slow.popReceipt), 404, "MessageNotFound");
    assert.equal(await countOf(jobs), 1);

    await insertArchived(employees, second);
    await deleteCurrent(employees, second);
    assert.equal((await jobs.deleteMessage(second.messageId, second.popReceipt))._response.status, 204);
    await assertArchived({ employees, jobs });
  });
});

describe("workers", { concurrency: true }, () => {
  test("a worker keeps a message by updating it, each time with the receipt of the last", async (t) => {
    const jobs = await freshQueue(t);
    await jobs.sendMessage("long work");
    const [taken] = await receive(jobs);
    const receipts = [taken.popReceipt];
    for (let n = 0; n < 3; n++) {
      const { popReceipt } = await jobs.updateMessage(taken.messageId, receipts.at(-1), undefined, LONG);
      receipts.push(popReceipt);
    }
    assert.equal(new Set(receipts).size, 4);
    assert.deepEqual(await receive(jobs), []);
    for (const stale of receipts.slice(0, -1)) {
      await refused(jobs.deleteMessage(taken.messageId, stale), 404, "MessageNotFound");
    }
    await jobs.deleteMessage(taken.messageId, receipts.at(-1));
  });

  test("a message that fails five times is put aside when it comes for the sixth", async (t) => {
    const jobs = await freshQueue(t);
    const poison = await freshQueue(t, `${jobs.name}-poison`);
    await jobs.sendMessage("cannot be done");
    for (let failures = 1; failures <= 5; failures++) {
      const [message] = await receive(jobs);
      assert.equal(message.dequeueCount, failures);
      // Given back at once, rather than by waiting.
      await jobs.updateMessage(message.messageId, message.popReceipt, undefined, 0);
    }
    const [message] = await receive(jobs);
    assert.equal(message.dequeueCount, 6);
    await poison.sendMessage(message.messageText, { messageTimeToLive: -1 });
    await jobs.deleteMessage(message.messageId, message.popReceipt);
    assert.equal(await countOf(jobs), 0);
    assert.deepEqual(await seen(poison), ["cannot be done"]);
  });

  test("the next worker sees how far the last one came", async (t) => {
    const jobs = await freshQueue(t);
    await jobs.sendMessage("step 0");
    const [message] = await receive(jobs);
    const first = await jobs.updateMessage(message.messageId, message.popReceipt, "step 1", LONG);
    await jobs.updateMessage(message.messageId, first.popReceipt, "step 2", 1);
    const next = await receiveEventually(jobs);
    assert.deepEqual([next.messageText, next.dequeueCount], ["step 2", 2]);
  });

  test("a message with a short life vanishes, and one without an end stays", async (t) => {
    const jobs = await freshQueue(t);
    const short = await jobs.sendMessage("short", { messageTimeToLive: 2, visibilityTimeout: 1 });
    const long = await jobs.sendMessage("for ever", { messageTimeToLive: -1 });
    assert.equal(long.expiresOn.getUTCFullYear(), 9999);
    await eventually(() => isOver(short));
    assert.deepEqual(await seen(jobs), ["for ever"]);
    await refused(jobs.deleteMessage(short.messageId, short.popReceipt), 404, "MessageNotFound");
  });
});

test("workers side by side do every job, and none of them twice", async (t) => {
  const jobs = await freshQueue(t);
  const sent = new Set();
  let next = 0;
  async function send() {
    while (next < FAN_OUT) {
      sent.add((await jobs.sendMessage(`job ${next++}`)).messageId);
    }
  }
  const done = [];
  async function work() {
    for (;;) {
      const messages = await receive(jobs, { numberOfMessages: 32 });
      if (messages.length === 0) {
        return;
      }
      for (const { messageId, popReceipt } of messages) {
        await jobs.deleteMessage(messageId, popReceipt);
        done.push(messageId);
      }
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, send));
  assert.equal(await countOf(jobs), FAN_OUT);
  await Promise.all(Array.from({ length: WORKERS }, work));
  assert.equal(done.length, FAN_OUT);
  assert.deepEqual(new Set(done), sent);
  assert.equal(await countOf(jobs), 0);
});

describe("a server that is killed", () => {
  /** A server of this test's own, which is not the one of all others; resolves to it and its queues' origin. */
  async function start(folder) {
    // A server refuses variables it does not know, and these are ours.
    const { TRESTLE_SERVER, TRESTLE_TABLE_ORIGIN, TRESTLE_QUEUE_ORIGIN, TRESTLE_BLOB_ORIGIN, ...env } = process.env;
    assert.ok(TRESTLE_SERVER, "TRESTLE_SERVER has to tell how to start a server; run.mjs sets it.");
    const [command, ...before] = JSON.parse(TRESTLE_SERVER);
    const serve = ["serve", "--data", folder, "--table-port", "0", "--admin-port", "off"];
    const server = spawn(command, [...before, ...serve], { env, stdio: ["ignore", "pipe", "inherit"] });
    process.once("exit", () => server.kill("SIGKILL"));
    let origin;
    for await (const line of createInterface({ input: server.stdout })) {
      origin ??= /Queue endpoint\s+(https?:\/\/[^/\s]+)/.exec(line)?.[1];
      if (line.startsWith("Ready")) {
        // Nobody reads any further, and the server must not wait for it.
        server.stdout.resume();
        return { server, origin };
      }
    }
    assert.fail("The server ended instead of starting.");
  }

  async function kill(server) {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGKILL");
    await ended;
  }

  test("keeps messages, counts and receipts between taking and deleting", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "trestle-queues-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const name = freshName();
    const client = (origin) => new QueueClient(`${origin}/${DEVELOPMENT.name}/${name}`, CREDENTIAL, options());

    const first = await start(folder);
    const before = client(first.origin);
    await before.create({ metadata: { owner: "hr" } });
    await before.sendMessage("taken");
    await before.sendMessage("waiting");
    const [taken] = await receive(before);
    await kill(first.server);

    const second = await start(folder);
    t.after(() => kill(second.server));
    const after = client(second.origin);
    const { metadata, approximateMessagesCount } = await after.getProperties();
    assert.deepEqual([metadata, approximateMessagesCount], [{ owner: "hr" }, 2]);
    assert.deepEqual(await seen(after), ["waiting"]);
    const { popReceipt } = await after.updateMessage(taken.messageId, taken.popReceipt, undefined, 0);
    const peeked = (await after.peekMessages({ numberOfMessages: 2 })).peekedMessageItems;
    assert.deepEqual(
      peeked.map(({ messageText, dequeueCount }) => [messageText, dequeueCount]),
      [["waiting", 0], ["taken", 1]],
    );
    await after.deleteMessage(taken.messageId, popReceipt);
    assert.deepEqual(await seen(after), ["waiting"]);
  });
});
