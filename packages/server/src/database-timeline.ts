/** Remembers the newest PostgreSQL timeline seen, so that a replaced primary is recognised after a restart. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeenTimeline, TimelineMemory } from '@grantor/store'
import { makePrivateFolder, replacePrivateFile } from './secrets/private-file.ts'

export function timelineMemory(folder: string): TimelineMemory {
  const place = join(folder, 'postgres-timeline.json')
  return {
    place,
    read: () => seenIn(place),
    keep(seen) {
      // Another process of this folder may have seen more.
      const known = seenIn(place)
      if (known?.system === seen.system && known.timeline >= seen.timeline) return
      try {
        makePrivateFolder(folder)
        replacePrivateFile(place, JSON.stringify(seen))
      } catch {
        // The folder is read-only or full: then only this process remembers the timeline.
      }
    },
  }
}

function seenIn(file: string): SeenTimeline | null {
  try {
    const { system, timeline } = JSON.parse(readFileSync(file, 'utf8')) as Partial<SeenTimeline>
    return typeof system === 'string' && typeof timeline === 'number' ? { system, timeline } : null
  } catch {
    return null
  }
}
