// What the files about blobs share: clients for the server under test, fresh containers, and assertions on refusals.

import {
  AccountSASPermissions,
  BlobServiceClient,
  ContainerClient,
  RestError,
  StorageSharedKeyCredential,
  generateAccountSASQueryParameters,
} from "@azure/storage-blob";
import { DEVELOPMENT } from "./accounts.mjs";
import { options, rawTo, refusal, soon, uniqueName } from "./common.mjs";

export { options, past, refusedRaw, soon } from "./common.mjs";

export const ORIGIN = process.env.TRESTLE_BLOB_ORIGIN;
if (!ORIGIN) {
  throw new Error("TRESTLE_BLOB_ORIGIN has to name the server under test; run.mjs sets it.");
}

export const ENDPOINT = `${ORIGIN}/${DEVELOPMENT.name}`;

export const CREDENTIAL = new StorageSharedKeyCredential(DEVELOPMENT.name, DEVELOPMENT.key);

export const MIB = 1 << 20;

export const service = new BlobServiceClient(ENDPOINT, CREDENTIAL, options());

export const freshName = (prefix = "c") => uniqueName(prefix);

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

export const raw = rawTo(ENDPOINT, accountSas);

export const refused = refusal(RestError);

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
