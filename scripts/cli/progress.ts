/** Shows how far long work is: a bar on a terminal, plain lines elsewhere. */
import cliProgress from "cli-progress";
import type { TextStream } from "./io.ts";
import { pluralize } from "../lib/text.ts";

/** One step of the work. */
interface Step {
  /**
   * @param count how many of the step's items are done
   */
  readonly update: (count: number) => void;
  /**
   * @param note said instead of the count
   */
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

/** Items between two updates of a bar. They may come one by one, or a page of a site at a time. */
const drawEvery = 64;

/** A step's bar on a terminal. */
interface Bar {
  readonly draw: () => void;
  /** Clears it, and gives the terminal its settings back. */
  readonly clear: () => void;
}

/** Bars that are drawn. A terminal belongs to the process, and so does this list. */
const bars = new Set<Bar>();

/**
 * Ends the bars of work that failed, or that a signal ends, before anything is written after them. They would be drawn
 * for ever, and the process would not end; and the terminal would go on to cut long lines.
 */
export function endProgress(): void {
  for (const bar of bars) bar.clear();
  bars.clear();
}

/** Writes lines while work goes on: bars make room, and are drawn again below. */
export function besideBars(write: () => void): void {
  for (const bar of bars) bar.clear();
  write();
  for (const bar of bars) bar.draw();
}

/** Shows progress on a stream, usually standard error, so that standard output is left to results. */
export function progressOn(stream: TextStream): Progress {
  return {
    step(name, unit, total) {
      let [latest, drawn] = [0, 0];
      const format =
        total === undefined
          ? "{name}: {value} {unit}"
          : "{name} [{bar}] {value}/{total} {unit} {eta_formatted}";
      const shown = stream.isTTY
        ? new cliProgress.SingleBar({ format, clearOnComplete: true, fps: 10, stream })
        : undefined;
      const bar = {
        draw: () => shown?.start(total ?? 0, latest, { name, unit }),
        clear: () => shown?.stop(),
      };
      bars.add(bar);
      bar.draw();
      return {
        update(count) {
          latest = count;
          // The bar limits its own drawing, but a call for each of 100,000 items still costs.
          if (count - drawn < drawEvery) return;
          drawn = count;
          shown?.update(count);
        },
        done(note = pluralize(total ?? latest, unit)) {
          bar.clear();
          bars.delete(bar);
          stream.write(`${name}: ${note}\n`);
        },
      };
    },
  };
}
