/**
 * What the platform, Netlify, takes and gives, each once. From its documentation, read in November 2026:
 * https://docs.netlify.com/build/functions/overview/ (functions), /deploy/deploy-overview/ (deploys), and
 * https://www.netlify.com/pricing (credits). What follows from a limit says so where it is declared.
 */
export const platform = {
  /** Files in one directory of a deploy. */
  filesInDirectory: 54_000,
  /** Files of a deploy that are taken in a minute. */
  uploadsPerMinute: 500,
  /** Bytes of a function with all that it carries, as a zip archive. */
  functionZipped: 50_000_000,
  /** The same, unpacked. */
  functionUnzipped: 250_000_000,
  /** Megabytes of memory of a function. */
  functionMemory: 1024,
  /** Bytes of a function's answer. */
  functionAnswer: 6_000_000,
  /** Seconds of a function on the smallest plan there was. */
  functionSeconds: 10,
  /** The oldest runtime with which functions can be created: its version of Node. */
  oldestRuntime: 22,
  /** Credits. At zero, all sites of the account pause. */
  credits: { deploy: 15, gigabyte: 20, freeMonth: 300 },
} as const;
