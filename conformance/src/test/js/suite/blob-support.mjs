// What the files about blobs share: clients for the server under test, fresh containers, and assertions on refusals.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  AccountSASPermissions,
  BlobServiceClient,
  ContainerClient,
  RestError,
  StorageSharedKeyCredential,
  generateAccountSASQueryParameters,
} from "@azure/storage-blob";
import { DEVELOPMENT } from "./accounts.mjs";

export const ORIGIN = process.env.TRESTLE_BLOB_ORIGIN;
if (!ORIGIN) {
  throw new Error("TRESTLE_BLOB_ORIGIN has to name the server under test; run.mjs sets it.");
}

export const ENDPOINT = `${ORIGIN}/${DEVELOPMENT.name}`;

export const CREDENTIAL = new StorageSharedKeyCredential(DEVELOPMENT.name, DEVELOPMENT.key);

export const MIB = 1 << 20;

const HOUR = 3_600_000;
export const soon = () => new Date(Date.now() + HOUR);
export const past = () => new Date(Date.now() - HOUR);

// A retry would hide an answer that should not have been given. The SDK writes into its options: a new object each time.
export function options(more = {}) {
  return { retryOptions: { maxTries: 1 }, ...more };
}

export const service = new BlobServiceClient(ENDPOINT, CREDENTIAL, options());

/** A legal container name that no other test uses; files run side by side on one server. */
export function freshName(prefix = "c") {
  return `${prefix}${randomBytes(8).toString("hex")}`;
}

/** A client of a new container, which goes when the test ends. */
export async function freshContainer(t, name = freshName(), createOptions = {}) {
  const container = service.getContainerClient(name);
  await container.create(createOptions);
  t.after(() => container.deleteIfExists());
  return container;
}

/** A client of the same container that has nothing but this signature. */
export function withSas(container, sas) {
  return new ContainerClient(`${ENDPOINT}/${container.containerName}?${sas}`, undefined, options());
}

/** The text of an account SAS; by default with every permission on everything of the Blob service. */
export function accountSas(values = {}) {
  return generateAccountSASQueryParameters(
    {
      services: "b",
      resourceTypes: "sco",
      permissions: AccountSASPermissions.parse("rwdlac"),
      expiresOn: soon(),
      ...values,
    },
    CREDENTIAL,
  ).toString();
}

/** A request that the SDK would not send, with a signature that allows everything. */
export function raw(method, path, { query = "", body, headers = {} } = {}) {
  return fetch(`${ENDPOINT}${path}?${[query, accountSas()].filter(Boolean).join("&")}`, { method, body, headers });
}

/** Asserts that an answer to {@link raw} is a refusal with this status and code, and returns its document. */
export async function refusedRaw(response, status, code) {
  const document = await response.text();
  assert.deepEqual([response.status, response.headers.get("x-ms-error-code")], [status, code], document);
  return document;
}

/** Asserts that a call is refused with this status and service code, and returns the error. */
export async function refused(call, statusCode, code) {
  const error = await call.then(
    () => assert.fail(`expected ${statusCode} ${code}, but the call succeeded`),
    (e) => e,
  );
  assert.ok(error instanceof RestError, `expected a RestError, not ${error}`);
  const found = error.response?.headers.get("x-ms-error-code");
  assert.deepEqual([error.statusCode, found], [statusCode, code], error.message);
  return error;
}

/** Puts a text or bytes in one request. */
export function put(blob, content, uploadOptions = {}) {
  return blob.getBlockBlobClient().upload(content, Buffer.byteLength(content), uploadOptions);
}

/** All of a blob, by way of ranges. */
export function bytesOf(blob) {
  return blob.downloadToBuffer();
}

export async function textOf(blob) {
  return (await bytesOf(blob)).toString("utf8");
}

/** The names of the blobs of a list. */
export async function namesOf(list) {
  const names = [];
  for await (const { name } of list) {
    names.push(name);
  }
  return names;
}

export function blockId(number) {
  return Buffer.from(`block-${String(number).padStart(6, "0")}`).toString("base64");
}
