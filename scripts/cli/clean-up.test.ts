import { expect, test, vi } from "vitest";
import { withCleanUp } from "./clean-up.ts";

test("at a signal, work within other work is cleaned up first, and the process ends as it would have", async () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  const order: string[] = [];
  try {
    await withCleanUp(
      () => order.push("outer"),
      () =>
        withCleanUp(
          () => order.push("inner"),
          async () => {
            process.emit("SIGTERM", "SIGTERM");
            expect(order).toEqual(["inner", "outer"]);
          },
        ),
    );
    expect(kill.mock.calls.map(([, signal]) => signal)).toEqual(["SIGTERM", "SIGTERM"]);
  } finally {
    kill.mockRestore();
  }
});
