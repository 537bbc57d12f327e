// The accounts of the server under test. The first is the one every SDK knows by UseDevelopmentStorage=true; the second
// has two keys, as an account whose keys are being rotated.

export const DEVELOPMENT = {
  name: "devstoreaccount1",
  key: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
};

export const SECOND = {
  name: "secondaccount",
  key: Buffer.from("the first key of the second account").toString("base64"),
  otherKey: Buffer.from("the other key of the second account").toString("base64"),
};
