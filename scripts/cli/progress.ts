/** Tells how far long work is: a bar on a terminal, plain lines elsewhere. */
import cliProgress from "cli-progress";
import type { TextStream } from "./command.ts";

/** One step of the work. */
interface Step {
  /** @param count how many of the step's things are done */
  readonly update: (count: number) => void;
  readonly done: () => void;
}

export interface Progress {
  /** Begins a step. @param total how many things there are to do; undefined where nobody knows */
  step(name: string, total: number | undefined): Step;
}

/** Tells on a stream, usually standard error, so that standard output stays for results. */
export function progressOn(stream: TextStream): Progress {
  return {
    step(name, total) {
      let latest = 0;
      if (!stream.isTTY) {
        return {
          update: (count) => {
            latest = count;
          },
          done: () => void stream.write(`${name}: ${(total ?? latest).toLocaleString("en-US")}\n`),
        };
      }
      const bar = new cliProgress.SingleBar({
        stream,
        format:
          total === undefined ? "{name} {value}" : "{name} [{bar}] {value}/{total} {eta_formatted}",
        hideCursor: true,
        clearOnComplete: false,
        fps: 10,
      });
      bar.start(total ?? 0, 0, { name });
      return {
        update: (count) => {
          latest = count;
          // Drawing is timed by the bar; a call for each of 100,000 things still costs.
          if (count % 64 === 0) bar.update(count);
        },
        done: () => {
          bar.update(total ?? latest);
          bar.stop();
        },
      };
    },
  };
}
