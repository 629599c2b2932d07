/** A vector: what is sent through a door, and what must come back. Run by *.test.ts on every adapter. */
import { test } from 'node:test'
import { type Door, type DoorKind, doorKinds, openDoor } from './adapters.ts'
import type { SampleOptions } from './sample.ts'

export function onEveryAdapter(
  title: string,
  run: (door: Door, kind: DoorKind) => Promise<void>,
  options: SampleOptions = {},
): void {
  for (const kind of doorKinds) {
    test(`${title} [${kind}]`, async () => {
      const door = await openDoor(kind, options)
      try {
        await run(door, kind)
      } finally {
        await door.close()
      }
    })
  }
}
