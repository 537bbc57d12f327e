// What the files about queues share: clients for the server under test, fresh queues, and assertions on refusals.

import { setTimeout as sleep } from "node:timers/promises";
import {
  AccountSASPermissions,
  QueueClient,
  QueueServiceClient,
  RestError,
  StorageSharedKeyCredential,
  generateAccountSASQueryParameters,
} from "@azure/storage-queue";
import { DEVELOPMENT } from "./accounts.mjs";
import { options, rawTo, refusal, soon, uniqueName } from "./common.mjs";

export { options, past, refusedRaw, soon } from "./common.mjs";

export const ORIGIN = process.env.TRESTLE_QUEUE_ORIGIN;
if (!ORIGIN) {
  throw new Error("TRESTLE_QUEUE_ORIGIN has to name the server under test; run.mjs sets it.");
}

export const ENDPOINT = `${ORIGIN}/${DEVELOPMENT.name}`;

export const CREDENTIAL = new StorageSharedKeyCredential(DEVELOPMENT.name, DEVELOPMENT.key);

/** Long enough that nothing comes back, or goes, while a test runs. */
export const LONG = 3600;

/** Options with one more step, just before a request leaves. */
export function withStep(sendRequest) {
  return options({ additionalPolicies: [{ policy: { name: "step", sendRequest }, position: "perRetry" }] });
}

export const service = new QueueServiceClient(ENDPOINT, CREDENTIAL, options());

export function queueClient(name) {
  return service.getQueueClient(name);
}

export const freshName = (prefix = "q") => uniqueName(prefix);

/** A client of a new queue, which goes when the test ends. */
export async function freshQueue(t, name = freshName(), createOptions = {}) {
  const queue = queueClient(name);
  await queue.create(createOptions);
  t.after(() => queue.deleteIfExists());
  return queue;
}

/** A client of the same queue that has nothing but this signature. */
export function withSas(queue, sas) {
  return new QueueClient(`${ENDPOINT}/${queue.name}?${sas}`, undefined, options());
}

/** The text of an account SAS; by default with every permission on everything of the Queue service. */
export function accountSas(values = {}) {
  return generateAccountSASQueryParameters(
    {
      services: "q",
      resourceTypes: "sco",
      permissions: AccountSASPermissions.parse("rwdlacup"),
      expiresOn: soon(),
      ...values,
    },
    CREDENTIAL,
  ).toString();
}

export const raw = rawTo(ENDPOINT, accountSas);

export const refused = refusal(RestError);

/** Takes messages; a list, as the SDK's answer is more. */
export async function receive(queue, receiveOptions = {}) {
  return (await queue.receiveMessages({ visibilityTimeout: LONG, ...receiveOptions })).receivedMessageItems;
}

/** The texts that can be seen. */
export async function seen(queue, numberOfMessages = 32) {
  return (await queue.peekMessages({ numberOfMessages })).peekedMessageItems.map(({ messageText }) => messageText);
}

export async function countOf(queue) {
  return (await queue.getProperties()).approximateMessagesCount;
}

/** Asks until there is an answer other than nothing; how long that may take is up to the timeout of the suite. */
export async function eventually(ask) {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    await sleep(100);
  }
}

/** Whether a message has come to its end, of which the server tells whole seconds. */
export function isOver({ expiresOn }) {
  return Date.now() > expiresOn.getTime() + 1000;
}

/** The first message that can be taken, as soon as there is one. */
export function receiveEventually(queue, receiveOptions = {}) {
  return eventually(async () => (await receive(queue, receiveOptions))[0]);
}
