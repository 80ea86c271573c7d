/** Arguments that operations share. */
export const EXPECTED_VERSION = {
  nullable: true,
  description: "The version that the caller has seen. When the record has another by now, nothing changes.",
};

export const IDEMPOTENCY_KEY = {
  nullable: true,
  description:
    "1 to 255 characters. For 24 hours, the same key and input get the first answer again instead of a second change.",
};
