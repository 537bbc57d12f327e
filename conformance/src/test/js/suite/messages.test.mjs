// Tests that wait for a message to come back or to expire run side by side, so that their waiting is shared. None of them
// expects anything to happen within a time; what must not happen meanwhile is put off for an hour.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  LONG,
  countOf,
  eventually,
  freshQueue,
  isOver,
  raw,
  receive,
  receiveEventually,
  refused,
  refusedRaw,
  seen,
} from "./queue-support.mjs";

const WEEK = 7 * 24 * 3600;
const GUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const seconds = (later, earlier) => Math.round((later - earlier) / 1000);

describe("sending", () => {
  test("an answer tells what is needed to change the message", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("hello");
    assert.equal(sent._response.status, 201);
    assert.match(sent.messageId, GUID);
    assert.ok(sent.popReceipt.length > 0);
    assert.equal(sent.nextVisibleOn.getTime(), sent.insertedOn.getTime());
    assert.equal(seconds(sent.expiresOn, sent.insertedOn), WEEK);
  });

  test("a message is hidden as long as its sender wishes", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("later", { visibilityTimeout: LONG });
    assert.equal(seconds(sent.nextVisibleOn, sent.insertedOn), LONG);
    assert.deepEqual(await seen(queue), []);
    assert.deepEqual(await receive(queue), []);
    assert.equal(await countOf(queue), 1);
  });

  test("a message lives as long as its sender wishes", async (t) => {
    const queue = await freshQueue(t);
    for (const messageTimeToLive of [10, 60 * 24 * 3600, 2 ** 31 - 1]) {
      const sent = await queue.sendMessage("m", { messageTimeToLive });
      assert.equal(seconds(sent.expiresOn, sent.insertedOn), messageTimeToLive);
    }
  });

  test("a message may live for ever", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("for ever", { messageTimeToLive: -1 });
    assert.equal(sent.expiresOn.toISOString(), "9999-12-31T23:59:59.000Z");
    const [received] = await receive(queue);
    assert.equal(received.expiresOn.toISOString(), "9999-12-31T23:59:59.000Z");
  });

  test("the receipt of the sender updates and deletes what nobody has taken", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("one");
    const updated = await queue.updateMessage(sent.messageId, sent.popReceipt, "two", 0);
    assert.deepEqual(await seen(queue), ["two"]);
    await refused(queue.deleteMessage(sent.messageId, sent.popReceipt), 404, "MessageNotFound");
    await queue.deleteMessage(sent.messageId, updated.popReceipt);
    assert.equal(await countOf(queue), 0);
  });

  for (const [what, query, code] of [
    ["a delay below 0", "visibilitytimeout=-1", "OutOfRangeQueryParameterValue"],
    ["a delay over a week", `visibilitytimeout=${WEEK + 1}&messagettl=-1`, "OutOfRangeQueryParameterValue"],
    ["a delay that is no number", "visibilitytimeout=soon", "InvalidQueryParameterValue"],
    ["a delay as long as the life", "visibilitytimeout=10&messagettl=10", "InvalidQueryParameterValue"],
    ["a life of 0", "messagettl=0", "InvalidQueryParameterValue"],
    ["a life below -1", "messagettl=-2", "InvalidQueryParameterValue"],
    ["a life that is no number", "messagettl=long", "InvalidQueryParameterValue"],
  ]) {
    test(`${what} is refused`, async (t) => {
      const queue = await freshQueue(t);
      const body = "<QueueMessage><MessageText>text</MessageText></QueueMessage>";
      const answer = await raw("POST", `/${queue.name}/messages`, { query, body });
      const document = await refusedRaw(answer, 400, code);
      assert.match(document, /<QueryParameterName>(visibilitytimeout|messagettl)<\/QueryParameterName>/);
      assert.equal(await countOf(queue), 0);
    });
  }

  test("a delay of a week is allowed", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("m", { visibilityTimeout: WEEK, messageTimeToLive: -1 });
    assert.equal(seconds(sent.nextVisibleOn, sent.insertedOn), WEEK);
  });

  test("what a range allows is told with the refusal", async (t) => {
    const queue = await freshQueue(t);
    const error = await refused(queue.receiveMessages({ numberOfMessages: 33 }), 400, "OutOfRangeQueryParameterValue");
    assert.match(error.response.bodyAsText, /<QueryParameterName>numofmessages<\/QueryParameterName>/);
    assert.match(error.response.bodyAsText, /<QueryParameterValue>33<\/QueryParameterValue>/);
    assert.match(error.response.bodyAsText, /<MinimumAllowed>1<\/MinimumAllowed>/);
    assert.match(error.response.bodyAsText, /<MaximumAllowed>32<\/MaximumAllowed>/);
  });
});

describe("texts", () => {
  for (const [what, text] of [
    ["markup", `<a b="c">&amp; ]]> <!-- d --> '"</a>`],
    ["escapes that are none", "&lt; &#65; %20 + \\n"],
    ["base64", Buffer.from("binary \u0000 text").toString("base64")],
    ["JSON", JSON.stringify({ a: [1, null, "ü"] })],
    ["blanks around it", "  two before, three after   "],
    ["nothing but digits", "0123"],
    ["letters of many scripts", "äß 漢字 עברית हिन्दी"],
    ["emoji", "🙂 👩‍👩‍👧‍👦 𝄞"],
    ["nothing in it", ""],
  ]) {
    test(`a text with ${what} comes back as it was sent`, async (t) => {
      const queue = await freshQueue(t);
      await queue.sendMessage(text);
      assert.deepEqual(await seen(queue), [text]);
      assert.equal((await receive(queue))[0].messageText, text);
    });
  }

  test("line ends and blanks alone are kept on the server's side", async (t) => {
    // The SDK's own XML loses some of these on their way out and in.
    const queue = await freshQueue(t);
    for (const written of ["a&#xD;&#xA;b&#xD;c\n\td", " ", "\n", "  &#x9; "]) {
      const body = `<QueueMessage><MessageText>${written}</MessageText></QueueMessage>`;
      assert.equal((await raw("POST", `/${queue.name}/messages`, { body })).status, 201);
      const answer = await (await raw("GET", `/${queue.name}/messages`)).text();
      const text = /<MessageText>([^]*)<\/MessageText>/.exec(answer)[1];
      const plain = (xml) => xml.replace(/&#x([0-9A-Fa-f]+);/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)));
      assert.equal(plain(text), plain(written));
      assert.doesNotMatch(text, /\r/, "a carriage return has to be escaped, or readers take it for a line end");
    }
  });

  test("of markup that is not escaped only the text is kept", async (t) => {
    const queue = await freshQueue(t);
    const body = "<QueueMessage><MessageText>a<b c='d'>e</b><!-- f -->g<![CDATA[<h>]]></MessageText></QueueMessage>";
    assert.equal((await raw("POST", `/${queue.name}/messages`, { body })).status, 201);
    assert.deepEqual(await seen(queue), ["aeg<h>"]);
  });

  test("a text of 64 KiB is allowed, and one byte more is not", async (t) => {
    const queue = await freshQueue(t);
    const text = "x".repeat(64 * 1024);
    await queue.sendMessage(text);
    assert.equal((await receive(queue))[0].messageText, text);
    const error = await refused(queue.sendMessage(`${text}x`), 413, "RequestBodyTooLarge");
    assert.match(error.response.bodyAsText, /<MaxLimit>65536<\/MaxLimit>/);
    assert.equal(await countOf(queue), 1);
  });

  test("the size is counted in bytes of UTF-8, without escapes", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("<".repeat(30 * 1024));
    await queue.sendMessage("ü".repeat(32 * 1024));
    await refused(queue.sendMessage(`${"ü".repeat(32 * 1024)}x`), 413, "RequestBodyTooLarge");
    await queue.sendMessage("🙂".repeat(16 * 1024));
    await refused(queue.sendMessage("🙂".repeat(16 * 1024 + 1)), 413, "RequestBodyTooLarge");
    assert.equal(await countOf(queue), 3);
  });

  test("a request far too large is refused as well", async (t) => {
    const queue = await freshQueue(t);
    const error = await refused(queue.sendMessage("x".repeat(200_000)), 413, "RequestBodyTooLarge");
    assert.match(error.response.bodyAsText, /<MaxLimit>131584<\/MaxLimit>/);
  });

  test("an update cannot make a text too large", async (t) => {
    const queue = await freshQueue(t);
    const { messageId, popReceipt } = await queue.sendMessage("small");
    const large = "x".repeat(64 * 1024 + 1);
    await refused(queue.updateMessage(messageId, popReceipt, large, 0), 413, "RequestBodyTooLarge");
    assert.deepEqual(await seen(queue), ["small"]);
    await queue.updateMessage(messageId, popReceipt, "x".repeat(64 * 1024), 0);
  });

  for (const [what, body] of [
    ["no document", ""],
    ["text instead of a document", "hello"],
    ["a document cut off", "<QueueMessage><MessageText>hello"],
    ["a document without a text", "<QueueMessage></QueueMessage>"],
    ["another document", "<Other><MessageText>hello</MessageText></Other>"],
    ["a character that XML has not", "<QueueMessage><MessageText>&#x1;</MessageText></QueueMessage>"],
  ]) {
    test(`${what} is refused`, async (t) => {
      const queue = await freshQueue(t);
      await refusedRaw(await raw("POST", `/${queue.name}/messages`, { body }), 400, "InvalidXmlDocument");
    });
  }
});

describe("receiving and peeking", () => {
  test("messages come in the order they were sent", async (t) => {
    const queue = await freshQueue(t);
    for (let n = 0; n < 10; n++) {
      await queue.sendMessage(String(n));
    }
    assert.equal((await seen(queue, 10)).join(""), "0123456789");
    assert.equal((await receive(queue, { numberOfMessages: 4 })).map((m) => m.messageText).join(""), "0123");
    assert.equal((await receive(queue))[0].messageText, "4");
    assert.equal((await seen(queue)).join(""), "56789");
    assert.equal((await receive(queue, { numberOfMessages: 32 })).length, 5);
    assert.deepEqual(await receive(queue, { numberOfMessages: 32 }), []);
  });

  test("a received message tells everything about itself", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("hello", { messageTimeToLive: LONG });
    const [received] = (await queue.receiveMessages()).receivedMessageItems;
    assert.equal(received.messageId, sent.messageId);
    assert.equal(received.messageText, "hello");
    assert.equal(received.dequeueCount, 1);
    assert.deepEqual(received.insertedOn, sent.insertedOn);
    assert.deepEqual(received.expiresOn, sent.expiresOn);
    assert.notEqual(received.popReceipt, sent.popReceipt);
    assert.ok(seconds(received.nextVisibleOn, sent.insertedOn) >= 30, "30 seconds unless asked otherwise");
  });

  test("each message of a batch has a receipt of its own", async (t) => {
    const queue = await freshQueue(t);
    await Promise.all(Array.from({ length: 32 }, (_, n) => queue.sendMessage(String(n))));
    const received = await receive(queue, { numberOfMessages: 32 });
    assert.equal(new Set(received.map(({ popReceipt }) => popReceipt)).size, 32);
    assert.equal(new Set(received.map(({ messageId }) => messageId)).size, 32);
  });

  test("peeking changes nothing and gives nothing to change a message with", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("hello");
    for (let n = 0; n < 3; n++) {
      const { peekedMessageItems, _response } = await queue.peekMessages();
      assert.deepEqual([peekedMessageItems[0].messageText, peekedMessageItems[0].dequeueCount], ["hello", 0]);
      assert.equal(peekedMessageItems[0].messageId, sent.messageId);
      assert.doesNotMatch(_response.bodyAsText, /PopReceipt|TimeNextVisible/);
    }
    const [received] = await receive(queue);
    assert.equal(received.dequeueCount, 1);
    await queue.updateMessage(received.messageId, received.popReceipt, undefined, 0);
    assert.equal((await queue.peekMessages()).peekedMessageItems[0].dequeueCount, 1);
  });

  test("an empty queue gives an empty list", async (t) => {
    const queue = await freshQueue(t);
    const received = await queue.receiveMessages({ numberOfMessages: 32 });
    assert.deepEqual([received._response.status, received.receivedMessageItems], [200, []]);
    const peeked = await queue.peekMessages({ numberOfMessages: 32 });
    assert.deepEqual([peeked._response.status, peeked.peekedMessageItems], [200, []]);
  });

  test("nobody gets a message that another has taken", async (t) => {
    const queue = await freshQueue(t);
    await Promise.all(Array.from({ length: 60 }, (_, n) => queue.sendMessage(String(n))));
    const batches = await Promise.all(Array.from({ length: 20 }, () => receive(queue, { numberOfMessages: 3 })));
    const texts = batches.flat().map(({ messageText }) => messageText);
    assert.equal(texts.length, 60);
    assert.equal(new Set(texts).size, 60);
  });

  test("numbers of messages and times outside of their ranges are refused", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("hello");
    const path = `/${queue.name}/messages`;
    for (const query of [
      "numofmessages=0",
      "numofmessages=33",
      "numofmessages=-1",
      "numofmessages=0&peekonly=true",
      "numofmessages=33&peekonly=true",
      "visibilitytimeout=0",
      "visibilitytimeout=-1",
      `visibilitytimeout=${WEEK + 1}`,
    ]) {
      await refusedRaw(await raw("GET", path, { query }), 400, "OutOfRangeQueryParameterValue");
    }
    for (const query of ["numofmessages=many", "visibilitytimeout=1.5"]) {
      await refusedRaw(await raw("GET", path, { query }), 400, "InvalidQueryParameterValue");
    }
    const [received] = await receive(queue, { numberOfMessages: 32, visibilityTimeout: WEEK });
    assert.equal(received.dequeueCount, 1, "none of the refused requests took the message");
  });
});

describe("updating, deleting, clearing", () => {
  test("an update gives a new receipt, a new time and, if asked, a new text", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("one");
    const [{ messageId, popReceipt, nextVisibleOn }] = await receive(queue, { visibilityTimeout: LONG });

    const first = await queue.updateMessage(messageId, popReceipt, undefined, 2 * LONG);
    assert.equal(first._response.status, 204);
    assert.notEqual(first.popReceipt, popReceipt);
    assert.ok(first.nextVisibleOn > nextVisibleOn);

    const second = await queue.updateMessage(messageId, first.popReceipt, "two <&>", 0);
    const [again] = await receive(queue);
    assert.deepEqual([again.messageId, again.messageText, again.dequeueCount], [messageId, "two <&>", 2]);
    assert.notEqual(again.popReceipt, second.popReceipt);
  });

  test("an update without a text leaves the text", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("kept");
    await queue.updateMessage(sent.messageId, sent.popReceipt);
    assert.deepEqual(await seen(queue), ["kept"]);
  });

  test("an update may make a text empty", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("gone");
    await queue.updateMessage(sent.messageId, sent.popReceipt, "", 0);
    assert.deepEqual(await seen(queue), [""]);
  });

  test("an update neither counts as a dequeue nor lengthens the life", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("m", { messageTimeToLive: LONG });
    await queue.updateMessage(sent.messageId, sent.popReceipt, "n", 0);
    const [{ dequeueCount, expiresOn, insertedOn }] = await receive(queue);
    assert.equal(dequeueCount, 1);
    assert.deepEqual([expiresOn, insertedOn], [sent.expiresOn, sent.insertedOn]);
  });

  test("an update cannot hide a message beyond its life, nor out of range", async (t) => {
    const queue = await freshQueue(t);
    const { messageId, popReceipt } = await queue.sendMessage("m", { messageTimeToLive: LONG });
    for (const seconds of [2 * LONG, WEEK + 1, -1]) {
      const call = queue.updateMessage(messageId, popReceipt, undefined, seconds);
      await refused(call, 400, "OutOfRangeQueryParameterValue");
    }
    assert.deepEqual(await seen(queue), ["m"]);
  });

  test("an update needs a receipt and a time, a deletion a receipt", async (t) => {
    const queue = await freshQueue(t);
    const { messageId, popReceipt } = await queue.sendMessage("m");
    const path = `/${queue.name}/messages/${messageId}`;
    const missing = "MissingRequiredQueryParameter";
    await refusedRaw(await raw("PUT", path, { query: `popreceipt=${popReceipt}` }), 400, missing);
    await refusedRaw(await raw("PUT", path, { query: "visibilitytimeout=0" }), 400, missing);
    await refusedRaw(await raw("DELETE", path), 400, missing);
    assert.deepEqual(await seen(queue), ["m"]);
  });

  test("a deleted message is gone, and deleting it again is told", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("m");
    const [{ messageId, popReceipt }] = await receive(queue);
    assert.equal((await queue.deleteMessage(messageId, popReceipt))._response.status, 204);
    assert.equal(await countOf(queue), 0);
    await refused(queue.deleteMessage(messageId, popReceipt), 404, "MessageNotFound");
    await refused(queue.updateMessage(messageId, popReceipt, "n", 0), 404, "MessageNotFound");
  });

  test("a receipt is dead once the message was updated or taken again", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("m");
    const { messageId } = sent;
    const [taken] = await receive(queue);
    const updated = await queue.updateMessage(messageId, taken.popReceipt, undefined, 0);
    const [again] = await receive(queue);
    for (const stale of [sent.popReceipt, taken.popReceipt, updated.popReceipt]) {
      await refused(queue.deleteMessage(messageId, stale), 404, "MessageNotFound");
      await refused(queue.updateMessage(messageId, stale, "n", 0), 404, "MessageNotFound");
    }
    await queue.deleteMessage(messageId, again.popReceipt);
  });

  test("a receipt of another message or another queue does not fit", async (t) => {
    const [queue, other] = [await freshQueue(t), await freshQueue(t)];
    const [one, two, foreign] = [
      await queue.sendMessage("one"),
      await queue.sendMessage("two"),
      await other.sendMessage("foreign"),
    ];
    // As the real service gives them, from another server.
    const made = "AgAAAAMAAAAAAAAAShvCCZcr1QE=";
    for (const receipt of [two.popReceipt, foreign.popReceipt, made]) {
      await refused(queue.deleteMessage(one.messageId, receipt), 404, "MessageNotFound");
      await refused(queue.updateMessage(one.messageId, receipt, "n", 0), 404, "MessageNotFound");
    }
    await refused(queue.deleteMessage(foreign.messageId, foreign.popReceipt), 404, "MessageNotFound");
    assert.deepEqual(await seen(queue), ["one", "two"]);
  });

  test("what is no receipt at all is refused as such", async (t) => {
    const queue = await freshQueue(t);
    const { messageId } = await queue.sendMessage("m");
    for (const receipt of ["not a receipt!", "***", "a"]) {
      await refused(queue.deleteMessage(messageId, receipt), 400, "InvalidQueryParameterValue");
      await refused(queue.updateMessage(messageId, receipt, "n", 0), 400, "InvalidQueryParameterValue");
    }
    assert.deepEqual(await seen(queue), ["m"]);
  });

  test("an id that no message has is not found", async (t) => {
    const queue = await freshQueue(t);
    const { popReceipt } = await queue.sendMessage("m");
    for (const id of ["00000000-0000-4000-8000-000000000000", "nothing"]) {
      await refused(queue.deleteMessage(id, popReceipt), 404, "MessageNotFound");
      await refused(queue.updateMessage(id, popReceipt, "n", 0), 404, "MessageNotFound");
    }
  });

  test("clearing takes all messages, also those that cannot be seen", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("seen");
    await queue.sendMessage("hidden", { visibilityTimeout: LONG });
    const [taken] = await receive(queue);
    assert.equal((await queue.clearMessages())._response.status, 204);
    assert.equal(await countOf(queue), 0);
    await refused(queue.deleteMessage(taken.messageId, taken.popReceipt), 404, "MessageNotFound");
    assert.equal((await queue.clearMessages())._response.status, 204);
    await queue.sendMessage("new");
    assert.deepEqual(await seen(queue), ["new"]);
  });
});

describe("time", { concurrency: true }, () => {
  test("a message comes back when its time is up, with a new receipt and a higher count", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("m");
    const [first] = await receive(queue, { visibilityTimeout: 1 });
    const second = await receiveEventually(queue);
    assert.equal(second.messageId, first.messageId);
    assert.deepEqual([first.dequeueCount, second.dequeueCount], [1, 2]);
    await refused(queue.deleteMessage(first.messageId, first.popReceipt), 404, "MessageNotFound");
    await queue.deleteMessage(second.messageId, second.popReceipt);
  });

  test("a receipt is good beyond its time as long as nobody else takes the message", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("m");
    await queue.sendMessage("n");
    const [m, n] = await receive(queue, { numberOfMessages: 2, visibilityTimeout: 1 });
    await eventually(async () => (await seen(queue)).length === 2);
    await queue.deleteMessage(m.messageId, m.popReceipt);
    await queue.updateMessage(n.messageId, n.popReceipt, "changed", 0);
    assert.deepEqual(await seen(queue), ["changed"]);
  });

  test("a delayed message can be seen when its time has come", async (t) => {
    const queue = await freshQueue(t);
    await queue.sendMessage("delayed", { visibilityTimeout: 1 });
    const received = await receiveEventually(queue);
    assert.deepEqual([received.messageText, received.dequeueCount], ["delayed", 1]);
  });

  test("an expired message cannot be seen, taken, changed or deleted", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("short", { messageTimeToLive: 1 });
    await eventually(async () => (await seen(queue)).length === 0);
    assert.deepEqual(await receive(queue), []);
    await refused(queue.deleteMessage(sent.messageId, sent.popReceipt), 404, "MessageNotFound");
    await refused(queue.updateMessage(sent.messageId, sent.popReceipt, "n", 0), 404, "MessageNotFound");
  });

  test("a message may be hidden beyond its end, and then never comes back", async (t) => {
    const queue = await freshQueue(t);
    const sent = await queue.sendMessage("m", { messageTimeToLive: 2 });
    const [taken] = await receive(queue, { visibilityTimeout: LONG });
    if (taken) {
      assert.ok(taken.nextVisibleOn > taken.expiresOn);
    }
    await eventually(() => isOver(sent));
    assert.deepEqual(await receive(queue), []);
    if (taken) {
      await refused(queue.deleteMessage(taken.messageId, taken.popReceipt), 404, "MessageNotFound");
    }
  });
});
