// The server under test, as run-suite.sh finds it in the environment.

function required(name) {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} has to be set; the tests in Java do that.`);
  }
  return value;
}

export const ENDPOINT = required("TRESTLE_BLOB_ENDPOINT");
export const ACCOUNT = required("TRESTLE_ACCOUNT");
export const KEY = required("TRESTLE_KEY");
export const CONTAINER = required("TRESTLE_CONTAINER");
