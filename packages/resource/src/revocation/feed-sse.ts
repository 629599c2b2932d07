/** Server-sent events as they arrive (WHATWG HTML §9.2.6), bounded, and read as frames of the feed. */
import { type FeedFrame, parseFeedFrame } from '@grantor/protocol/feed'

/** No frame of the feed comes near this; a stream that sends longer lines is not the feed. */
const longestLine = 64 * 1024

export class SseFrames {
  readonly #decoder = new TextDecoder('utf-8')
  #rest = ''
  #event = ''
  #data: string | null = null
  #id: string | null = null

  /** Frames that this chunk completes. null ends the stream: something on it cannot be read. */
  read(chunk: Uint8Array): readonly FeedFrame[] | null {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true })
    // A CR at the very end may be the first half of CRLF: leave it for the next chunk.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > longestLine) return null
    const frames: FeedFrame[] = []
    for (const line of lines) {
      if (line !== '') {
        this.#field(line)
        continue
      }
      const frame = this.#dispatch()
      if (frame === 'unreadable') return null
      if (frame !== null) frames.push(frame)
    }
    return frames
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    // A comment only keeps the connection open.
    if (colon === 0) return
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (name === 'event') this.#event = value
    else if (name === 'id') this.#id = value
    else if (name === 'data') this.#data = this.#data === null ? value : `${this.#data}\n${value}`
  }

  #dispatch(): FeedFrame | null | 'unreadable' {
    const [event, data, id] = [this.#event, this.#data, this.#id]
    this.#event = ''
    this.#data = null
    this.#id = null
    if (data === null) return null
    try {
      return parseFeedFrame({ event, id, data: JSON.parse(data) }) ?? 'unreadable'
    } catch {
      return 'unreadable'
    }
  }
}
