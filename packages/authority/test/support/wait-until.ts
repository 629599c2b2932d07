/** Waits for what the background does, for tests. */

export async function waitUntil(is: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await is())) {
    if (performance.now() > deadline) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
