/** Shows how far long work is: a bar on a terminal, plain lines elsewhere. */
import cliProgress from "cli-progress";
import type { TextStream } from "./command.ts";
import { counted } from "../lib/format-number.ts";

/** One step of the work. */
interface Step {
  /** @param count how many of the step's items are done */
  readonly update: (count: number) => void;
  /** @param note said instead of the count */
  readonly done: (note?: string) => void;
}

export interface Progress {
  /**
   * Begins a step.
   *
   * @param name of the step
   * @param unit what is counted, for example "posts"
   * @param total how many of them there are; undefined where nobody knows
   */
  step(name: string, unit: string, total: number | undefined): Step;
}

/** Shows progress on a stream, usually standard error, so that standard output is left to results. */
export function progressOn(stream: TextStream): Progress {
  return {
    step(name, unit, total) {
      let latest = 0;
      const format =
        total === undefined
          ? "{name}: {value} {unit}"
          : "{name} [{bar}] {value}/{total} {unit} {eta_formatted}";
      const options = { format, clearOnComplete: false, fps: 10 };
      const bar = stream.isTTY ? new cliProgress.SingleBar({ ...options, stream }) : undefined;
      bar?.start(total ?? 0, 0, { name, unit });
      return {
        update(count) {
          latest = count;
          // The bar limits its own drawing, but a call for each of 100,000 items still costs.
          if (count % 64 === 0) bar?.update(count);
        },
        done(note = counted(total ?? latest, unit)) {
          if (bar === undefined) return void stream.write(`${name}: ${note}\n`);
          bar.update(total ?? latest);
          bar.stop();
        },
      };
    },
  };
}
