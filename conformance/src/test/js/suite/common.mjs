// What the support of all services shares, whichever SDK it stands on.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";

const HOUR = 3_600_000;
export const soon = () => new Date(Date.now() + HOUR);
export const past = () => new Date(Date.now() - HOUR);

// A retry would hide an answer that should not have been given. The SDKs of queues and blobs write into their options: a
// new object each time.
export function options(more = {}) {
  return { retryOptions: { maxTries: 1 }, ...more };
}

/** A legal name that no other test uses; files run side by side on one server. */
export function uniqueName(prefix) {
  return `${prefix}${randomBytes(8).toString("hex")}`;
}

/** The code that an answer has in its head. */
export function codeOfAnswer(error) {
  return error.response?.headers.get("x-ms-error-code");
}

/**
 * What asserts that a call is refused with this status and service code, and returns the error. Each SDK has its own class
 * of errors; where it keeps the code differs too.
 */
export function refusal(RestError, codeOf = codeOfAnswer) {
  return async (call, statusCode, code) => {
    const error = await call.then(
      () => assert.fail(`expected ${statusCode} ${code}, but the call succeeded`),
      (e) => e,
    );
    assert.ok(error instanceof RestError, `expected a RestError, not ${error}`);
    assert.deepEqual([error.statusCode, codeOf(error)], [statusCode, code], error.message);
    return error;
  };
}

/** What sends a request that the SDK would not send, with a signature that allows everything. */
export function rawTo(endpoint, accountSas) {
  return (method, path, { query = "", body, headers = {} } = {}) =>
    fetch(`${endpoint}${path}?${[query, accountSas()].filter(Boolean).join("&")}`, { method, body, headers });
}

/** Asserts that an answer to a raw request is a refusal with this status and code, and returns its document. */
export async function refusedRaw(response, status, code) {
  const document = await response.text();
  assert.deepEqual([response.status, response.headers.get("x-ms-error-code")], [status, code], document);
  return document;
}

/** Without members that are undefined: the SDK makes them for whatever an XML document leaves out. */
export function defined(value) {
  if (Array.isArray(value)) {
    return value.map(defined);
  }
  if (value === null || typeof value !== "object" || value instanceof Date) {
    return value;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, defined(member)]));
}
