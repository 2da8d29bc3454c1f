import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deferSignals, withCleanUp, onSignal } from "./clean-up.ts";

const kill = vi.spyOn(process, "kill");
beforeEach(() => void kill.mockReset().mockReturnValue(true));
afterEach(() => {
  // What has ended leaves nothing in the process.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    expect(process.listeners(signal).filter(({ name }) => name === "handleSignal")).toEqual([]);
});

const emit = (signal: NodeJS.Signals): void => void process.emit(signal, signal);

test("withCleanUp cleans up from inside out at a signal, before onSignal speaks", async () => {
  const order: string[] = [];
  await onSignal(
    (signal) => order.push(signal),
    () =>
      withCleanUp(
        () => order.push("outer"),
        () =>
          withCleanUp(
            () => order.push("inner"),
            async () => {
              emit("SIGTERM");
              expect(order).toEqual(["inner", "outer", "SIGTERM"]);
              expect(kill.mock.calls).toEqual([[process.pid, "SIGTERM"]]);
            },
          ),
      ),
  );
});

test("onSignal says nothing without a signal", async () => {
  const words = vi.fn();
  expect(await onSignal(words, async () => 1)).toBe(1);
  expect(words).not.toHaveBeenCalled();
});

test("deferSignals keeps signals from ending its work or cleaning up around it", async () => {
  const cleaned: string[] = [];
  const taken: string[] = [];
  await withCleanUp(
    () => cleaned.push("around"),
    () =>
      deferSignals(
        (signal) => taken.push(signal),
        () =>
          withCleanUp(
            () => cleaned.push("within"),
            async () => {
              emit("SIGINT");
              emit("SIGHUP");
              expect([taken, cleaned]).toEqual([["SIGINT", "SIGHUP"], []]);
            },
          ),
      ),
  );
  expect(cleaned).toEqual(["within", "around"]);
  expect(kill).not.toHaveBeenCalled();
});
