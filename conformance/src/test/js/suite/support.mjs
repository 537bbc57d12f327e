// What the files about tables share: clients for the server under test, fresh tables, and assertions on refusals.

import { AzureNamedKeyCredential, RestError, TableClient, TableServiceClient } from "@azure/data-tables";
import { DEVELOPMENT } from "./accounts.mjs";
import { codeOfAnswer, refusal, uniqueName } from "./common.mjs";

export { defined } from "./common.mjs";

export const ORIGIN = process.env.TRESTLE_TABLE_ORIGIN;
if (!ORIGIN) {
  throw new Error("TRESTLE_TABLE_ORIGIN has to name the server under test; run.mjs sets it.");
}

export const ENDPOINT = `${ORIGIN}/${DEVELOPMENT.name}`;

// A retry would hide an answer that should not have been given.
export const OPTIONS = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

export const CREDENTIAL = new AzureNamedKeyCredential(DEVELOPMENT.name, DEVELOPMENT.key);

export const service = serviceClient();

export function serviceClient(options = {}) {
  return new TableServiceClient(ENDPOINT, CREDENTIAL, { ...OPTIONS, ...options });
}

export function tableClient(name, options = {}) {
  return new TableClient(ENDPOINT, name, CREDENTIAL, { ...OPTIONS, ...options });
}

export const freshName = (prefix = "t") => uniqueName(prefix);

/** A client of a new table, which goes when the test ends. */
export async function freshTable(t) {
  const table = tableClient(freshName());
  await table.createTable();
  t.after(() => table.deleteTable());
  return table;
}

export async function all(iterator) {
  const items = [];
  for await (const item of iterator) {
    items.push(item);
  }
  return items;
}

/** The raw response beside the parsed result, as the SDK hands it to onResponse. */
export async function withResponse(call) {
  let response;
  const result = await call({ onResponse: (raw) => (response = raw) });
  return { result, response };
}

/** The service's code: the SDK keeps it in the parsed body of a single call and on the error of a transaction. */
function codeOf(error) {
  return error.details?.odataError?.code ?? error.code ?? codeOfAnswer(error);
}

export const refused = refusal(RestError, codeOf);

/** Without what the server adds to an entity on its own. */
export function data(entity) {
  const { etag, timestamp, "odata.metadata": metadata, ...rest } = entity;
  return rest;
}
