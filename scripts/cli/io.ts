/** Where a command reads and writes. */

/** Where output goes: a terminal, or anything else that takes text. */
export type TextStream =
  | NodeJS.WriteStream
  | { readonly isTTY?: false; write(text: string): unknown };

/** What a command reads and writes besides its options. The process itself is one. */
export interface CommandIo {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}
