import assert from "node:assert/strict";
import { Agent } from "node:http";
import { test } from "node:test";
import {
  AccountSASPermissions,
  QueueClient,
  QueueSASPermissions,
  QueueServiceClient,
  StorageSharedKeyCredential,
  generateQueueSASQueryParameters,
} from "@azure/storage-queue";
import { TableClient } from "@azure/data-tables";
import { DEVELOPMENT, SECOND } from "./accounts.mjs";
import {
  CREDENTIAL,
  ENDPOINT,
  LONG,
  ORIGIN,
  accountSas,
  freshName,
  freshQueue,
  options,
  past,
  queueClient,
  receive,
  refused,
  refusedRaw,
  seen,
  service,
  soon,
  withSas,
  withStep,
} from "./queue-support.mjs";
import {
  ENDPOINT as TABLE_ENDPOINT,
  OPTIONS as TABLE_OPTIONS,
  all,
  defined,
  freshName as freshTableName,
} from "./support.mjs";

/** The text of a SAS over one queue. */
function queueSas(queue, permissions, values = {}) {
  return generateQueueSASQueryParameters(
    {
      queueName: queue.name,
      permissions: permissions && QueueSASPermissions.parse(permissions),
      expiresOn: soon(),
      ...values,
    },
    CREDENTIAL,
  ).toString();
}

function withQueueSas(queue, permissions, values) {
  return withSas(queue, queueSas(queue, permissions, values));
}

function withAccountSas(queue, values) {
  return withSas(queue, accountSas(values));
}

/** The whole life of one queue by a client, as proof that the client is let in. */
async function useQueue(queue) {
  await queue.create({ metadata: { a_b: "1", a1: "2" } });
  const sent = await queue.sendMessage("it's <this> & that");
  const updated = await queue.updateMessage(sent.messageId, sent.popReceipt, "a b", 0);
  assert.ok(updated.popReceipt);
  assert.deepEqual(await seen(queue), ["a b"]);
  const [received] = await receive(queue);
  await queue.deleteMessage(received.messageId, received.popReceipt);
  assert.equal((await queue.getProperties()).approximateMessagesCount, 0);
  await queue.delete();
}

test("a wrong key is refused", async () => {
  const credential = new StorageSharedKeyCredential(DEVELOPMENT.name, Buffer.from("wrong").toString("base64"));
  const client = new QueueServiceClient(ENDPOINT, credential, options());
  await refused(client.getProperties(), 403, "AuthenticationFailed");
});

test("a key of another account is refused", async () => {
  const credential = new StorageSharedKeyCredential(SECOND.name, SECOND.key);
  const client = new QueueServiceClient(ENDPOINT, credential, options());
  await assert.rejects(client.getProperties(), (e) => e.statusCode === 403 || e.statusCode === 400);
});

test("no credential at all is refused, with a challenge", async () => {
  const client = new QueueServiceClient(ENDPOINT, undefined, options());
  const error = await refused(client.getProperties(), 401, "NoAuthenticationInformation");
  assert.match(error.response.headers.get("www-authenticate"), /^Bearer authorization_uri=/);
});

test("both keys of an account open it", async () => {
  for (const key of [SECOND.key, SECOND.otherKey]) {
    const credential = new StorageSharedKeyCredential(SECOND.name, key);
    await useQueue(new QueueClient(`${ORIGIN}/${SECOND.name}/${freshName()}`, credential, options()));
  }
});

test("accounts do not see each other's queues", async (t) => {
  const queue = await freshQueue(t);
  const credential = new StorageSharedKeyCredential(SECOND.name, SECOND.key);
  const other = new QueueServiceClient(`${ORIGIN}/${SECOND.name}`, credential, options());
  assert.equal(await other.getQueueClient(queue.name).exists(), false);
  assert.deepEqual(await all(other.listQueues({ prefix: queue.name })), []);
});

test("each permission of a queue SAS allows its own operations only", async (t) => {
  const queue = await freshQueue(t);
  const operations = {
    peek: ["r", (client) => client.peekMessages()],
    properties: ["r", (client) => client.getProperties()],
    send: ["a", (client) => client.sendMessage("m")],
    update: ["u", (client, message) => client.updateMessage(message.messageId, message.popReceipt, "n", 0)],
    receive: ["p", (client) => client.receiveMessages()],
    delete: ["p", (client, message) => client.deleteMessage(message.messageId, message.popReceipt)],
  };
  for (const granted of ["r", "a", "u", "p"]) {
    const client = withQueueSas(queue, granted);
    for (const [needed, run] of Object.values(operations)) {
      const message = await queue.sendMessage("m", { visibilityTimeout: LONG });
      if (needed === granted) {
        await run(client, message);
      } else {
        await refused(run(client, message), 403, "AuthorizationPermissionMismatch");
      }
    }
  }
});

test("a queue SAS with all permissions does not reach beyond messages", async (t) => {
  const queue = await freshQueue(t);
  const client = withQueueSas(queue, "raup");
  for (const call of [
    () => client.delete(),
    () => client.setMetadata({ a: "b" }),
    () => client.clearMessages(),
    () => client.getAccessPolicy(),
    () => client.setAccessPolicy([]),
  ]) {
    await refused(call(), 403, "AuthorizationFailure");
  }
  assert.equal(await queue.exists(), true);
});

test("a queue SAS cannot create its queue", async () => {
  const queue = queueClient(freshName());
  await refused(withQueueSas(queue, "raup").create(), 403, "AuthorizationFailure");
  assert.equal(await queue.exists(), false);
});

test("a queue SAS opens no other queue, nor the account", async (t) => {
  const [queue, other] = [await freshQueue(t), await freshQueue(t)];
  const sas = queueSas(queue, "raup");
  await refused(withSas(other, sas).peekMessages(), 403, "AuthenticationFailed");
  const whole = new QueueServiceClient(`${ENDPOINT}?${sas}`, undefined, options());
  await assert.rejects(whole.getProperties(), { statusCode: 403 });
  await assert.rejects(all(whole.listQueues()), { statusCode: 403 });
});

test("the SAS that a client makes of itself works", async (t) => {
  const queue = await freshQueue(t);
  const permissions = QueueSASPermissions.parse("ra");
  const client = new QueueClient(queue.generateSasUrl({ permissions, expiresOn: soon() }), undefined, options());
  await client.sendMessage("m");
  assert.deepEqual(await seen(client), ["m"]);

  const url = service.generateAccountSasUrl(soon(), AccountSASPermissions.parse("rl"));
  const reader = new QueueServiceClient(url, undefined, options());
  assert.deepEqual((await all(reader.listQueues({ prefix: queue.name }))).map(({ name }) => name), [queue.name]);
});

test("a SAS that is over, not yet begun or altered is refused", async (t) => {
  const queue = await freshQueue(t);
  await refused(withQueueSas(queue, "r", { expiresOn: past() }).peekMessages(), 403, "AuthenticationFailed");
  const later = { startsOn: soon(), expiresOn: new Date(Date.now() + 7_200_000) };
  await refused(withQueueSas(queue, "r", later).peekMessages(), 403, "AuthenticationFailed");
  const altered = queueSas(queue, "r").replace("sp=r", "sp=raup");
  await refused(withSas(queue, altered).peekMessages(), 403, "AuthenticationFailed");
});

test("a SAS is bound to addresses and to the protocol it names", async (t) => {
  const queue = await freshQueue(t);
  const loopback = { start: "127.0.0.0", end: "127.255.255.255" };
  assert.deepEqual(await seen(withQueueSas(queue, "r", { ipRange: loopback })), []);
  const elsewhere = withQueueSas(queue, "r", { ipRange: { start: "203.0.113.7" } });
  await refused(elsewhere.peekMessages(), 403, "AuthorizationSourceIPMismatch");
  await refused(withQueueSas(queue, "r", { protocol: "https" }).peekMessages(), 403, "AuthorizationProtocolMismatch");
  assert.deepEqual(await seen(withQueueSas(queue, "r", { protocol: "https,http" })), []);
});

for (const version of ["2015-04-05", "2020-12-06", "2031-01-01"]) {
  test(`a SAS may be signed for version ${version}`, async (t) => {
    const queue = await freshQueue(t);
    assert.deepEqual(await seen(withQueueSas(queue, "r", { version })), []);
    assert.deepEqual(await seen(withAccountSas(queue, { version })), []);
  });
}

test("access policies come back as they were set", async (t) => {
  const queue = await freshQueue(t);
  assert.deepEqual((await queue.getAccessPolicy()).signedIdentifiers, []);
  const policies = [
    {
      id: "whole",
      accessPolicy: {
        startsOn: new Date("2024-01-01T00:00:00Z"),
        expiresOn: new Date("2099-12-31T23:59:59Z"),
        permissions: "raup",
      },
    },
    { id: "only permission & <more>", accessPolicy: { permissions: "r" } },
    { id: "only expiry", accessPolicy: { expiresOn: new Date("2099-01-01T00:00:00Z") } },
  ];
  assert.equal((await queue.setAccessPolicy(policies))._response.status, 204);
  const { signedIdentifiers, _response } = await queue.getAccessPolicy();
  assert.deepEqual(defined(signedIdentifiers), policies);
  assert.match(_response.bodyAsText, /<Start>2024-01-01T00:00:00\.0000000Z<\/Start>/);
  await queue.setAccessPolicy([]);
  assert.deepEqual((await queue.getAccessPolicy()).signedIdentifiers, []);
});

test("access policies that the service cannot keep are refused", async (t) => {
  const queue = await freshQueue(t);
  const policy = (id, permissions = "r") => ({ id, accessPolicy: { permissions } });
  const six = Array.from({ length: 6 }, (_, n) => policy(`p${n}`));
  await queue.setAccessPolicy(six.slice(0, 5));
  for (const policies of [
    six,
    [policy("i".repeat(65))],
    [policy("same"), policy("same")],
    [policy("foreign", "d")],
  ]) {
    await refused(queue.setAccessPolicy(policies), 400, "InvalidXmlDocument");
  }
  assert.equal((await queue.getAccessPolicy()).signedIdentifiers.length, 5);
});

test("a stored access policy grants until it is changed or removed", async (t) => {
  const queue = await freshQueue(t);
  const policy = (permissions, expiresOn = soon()) => [
    { id: "workers", accessPolicy: { startsOn: past(), expiresOn, permissions } },
  ];
  const client = withQueueSas(queue, undefined, { identifier: "workers", expiresOn: undefined });
  await refused(client.peekMessages(), 403, "AuthenticationFailed");
  await queue.setAccessPolicy(policy("r"));
  assert.deepEqual(await seen(client), []);
  await refused(client.sendMessage("m"), 403, "AuthorizationPermissionMismatch");
  await queue.setAccessPolicy(policy("ra"));
  await client.sendMessage("m");
  await queue.setAccessPolicy(policy("ra", past()));
  await refused(client.peekMessages(), 403, "AuthenticationFailed");
  await queue.setAccessPolicy([]);
  await refused(client.peekMessages(), 403, "AuthenticationFailed");
});

test("a policy and a signature may share what they say, but not say the same", async (t) => {
  const queue = await freshQueue(t);
  await queue.setAccessPolicy([{ id: "until", accessPolicy: { expiresOn: soon() } }]);
  const shared = withQueueSas(queue, "r", { identifier: "until", expiresOn: undefined });
  assert.deepEqual(await seen(shared), []);
  const both = withQueueSas(queue, "r", { identifier: "until" });
  await assert.rejects(both.peekMessages(), { statusCode: 400 });
});

test("a policy of one queue is none of another", async (t) => {
  const [queue, other] = [await freshQueue(t), await freshQueue(t)];
  await queue.setAccessPolicy([{ id: "workers", accessPolicy: { expiresOn: soon(), permissions: "r" } }]);
  const client = withQueueSas(other, undefined, { identifier: "workers", expiresOn: undefined });
  await refused(client.peekMessages(), 403, "AuthenticationFailed");
});

test("an account SAS with all permissions does everything but access policies", async () => {
  const queue = withAccountSas(queueClient(freshName()));
  await useQueue(queue);
  await queue.create();
  await queue.setMetadata({ a: "b" });
  await queue.clearMessages();
  await refused(queue.getAccessPolicy(), 403, "AuthorizationFailure");
  await refused(queue.setAccessPolicy([]), 403, "AuthorizationFailure");
  await queue.delete();
  const whole = new QueueServiceClient(`${ENDPOINT}?${accountSas()}`, undefined, options());
  await whole.getProperties();
  assert.deepEqual(await all(whole.listQueues({ prefix: queue.name })), []);
});

test("each permission of an account SAS allows its own operations only", async (t) => {
  const queue = await freshQueue(t);
  const operations = [
    ["r", (client) => client.peekMessages()],
    ["r", (client) => client.getProperties()],
    ["w", (client) => client.setMetadata({})],
    ["cw", (client) => client.create()],
    ["a", (client) => client.sendMessage("m")],
    ["u", (client, message) => client.updateMessage(message.messageId, message.popReceipt, "n", 0)],
    ["p", (client) => client.receiveMessages()],
    ["p", (client, message) => client.deleteMessage(message.messageId, message.popReceipt)],
    ["d", (client) => client.clearMessages()],
  ];
  for (const granted of "rwdlacup") {
    const client = withAccountSas(queue, { permissions: AccountSASPermissions.parse(granted) });
    for (const [needed, run] of operations) {
      const message = await queue.sendMessage("m", { visibilityTimeout: LONG });
      if (needed.includes(granted)) {
        await run(client, message);
      } else {
        await refused(run(client, message), 403, "AuthorizationPermissionMismatch");
      }
    }
  }
});

test("an account SAS without the permission to create cannot create queues", async () => {
  const queue = queueClient(freshName());
  const client = withAccountSas(queue, { permissions: AccountSASPermissions.parse("rdlaup") });
  await refused(client.create(), 403, "AuthorizationPermissionMismatch");
  await refused(client.createIfNotExists(), 403, "AuthorizationPermissionMismatch");
  assert.equal(await queue.exists(), false);
});

test("an account SAS is bound to its resource types and services", async (t) => {
  const queue = await freshQueue(t);
  const objects = withAccountSas(queue, { resourceTypes: "o" });
  await objects.sendMessage("m");
  assert.deepEqual(await seen(objects), ["m"]);
  await refused(objects.getProperties(), 403, "AuthorizationResourceTypeMismatch");
  const containers = withAccountSas(queue, { resourceTypes: "c" });
  assert.equal((await containers.getProperties()).approximateMessagesCount, 1);
  await refused(containers.peekMessages(), 403, "AuthorizationResourceTypeMismatch");
  await refused(withAccountSas(queue, { services: "bt" }).peekMessages(), 403, "AuthorizationServiceMismatch");
  assert.deepEqual(await seen(withAccountSas(queue, { services: "bqtf" })), ["m"]);
});

test("the connection string of the banner connects to tables and queues", async () => {
  const text =
    `DefaultEndpointsProtocol=http;AccountName=${DEVELOPMENT.name};AccountKey=${DEVELOPMENT.key};` +
    `TableEndpoint=${TABLE_ENDPOINT};QueueEndpoint=${ENDPOINT};`;
  await useQueue(new QueueClient(text, freshName(), options()));
  assert.ok(await QueueServiceClient.fromConnectionString(text, options()).getProperties());
  const table = TableClient.fromConnectionString(text, freshTableName(), TABLE_OPTIONS);
  await table.createTable();
  await table.deleteTable();
});

test("UseDevelopmentStorage=true connects", async () => {
  // The SDK expands it to a fixed port, where another server may be; the rest of the address stays what it chose.
  const { host } = new URL(ORIGIN);
  const step = withStep((request, next) => {
    const url = new URL(request.url);
    assert.equal(url.origin, "http://127.0.0.1:10001");
    request.url = request.url.replace(url.host, host);
    return next(request);
  });
  await useQueue(new QueueClient("UseDevelopmentStorage=true", freshName(), step));
});

test("a connection string with a SAS connects", async () => {
  const text = `QueueEndpoint=${ENDPOINT}/;SharedAccessSignature=${accountSas()}`;
  await useQueue(new QueueClient(text, freshName(), options()));
});

test("the account may be in the host name, as in the cloud", async () => {
  const { hostname, port } = new URL(ORIGIN);
  const agent = new Agent({
    lookup: (name, asked, done) =>
      asked.all ? done(null, [{ address: hostname, family: 4 }]) : done(null, hostname, 4),
  });
  const step = withStep((request, next) => {
    request.agent = agent;
    return next(request);
  });
  const url = `http://${DEVELOPMENT.name}.queue.storage.test:${port}/${freshName()}`;
  await useQueue(new QueueClient(url, CREDENTIAL, step));
});

test("the secondary is read, not written", async (t) => {
  const queue = await freshQueue(t);
  await queue.sendMessage("m");
  const secondary = new QueueClient(`${ENDPOINT}-secondary/${queue.name}`, CREDENTIAL, options());
  assert.equal((await secondary.getProperties()).approximateMessagesCount, 1);
  assert.deepEqual(await seen(secondary), ["m"]);
  for (const call of [
    () => secondary.sendMessage("n"),
    () => secondary.receiveMessages(),
    () => secondary.clearMessages(),
    () => secondary.delete(),
  ]) {
    await refused(call(), 403, "InsufficientAccountPermissions");
  }
});

test("the name of an account that does not exist is refused", async () => {
  const credential = new StorageSharedKeyCredential("nobody", DEVELOPMENT.key);
  const client = new QueueServiceClient(`${ORIGIN}/nobody`, credential, options());
  await assert.rejects(client.getProperties(), (e) => e.statusCode === 403 || e.statusCode === 404);
});

test("user delegation keys are not given", async () => {
  await refused(service.getUserDelegationKey(past(), soon()), 501, "NotImplemented");
});

test("bearer tokens are refused, with a challenge", async () => {
  const headers = { authorization: "Bearer token", "x-ms-version": "2026-04-06" };
  const response = await fetch(`${ENDPOINT}?comp=list`, { headers });
  await refusedRaw(response, 401, "InvalidAuthenticationInfo");
  assert.match(response.headers.get("www-authenticate"), /^Bearer authorization_uri=.* resource_id=/);
});
