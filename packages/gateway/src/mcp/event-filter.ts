/** Filters the messages in server-sent events (HTML §9.2) on their way to a caller, one event at a time. */
import type { AnswerTransform } from '../proxy/forward.ts'

/** Bytes held back to be filtered; an answer beyond it is cut off. */
export const mostHeld = 8 * 1024 * 1024

/** Throws where the input is not UTF-8; skips a byte order mark at the start. */
export const utf8 = (): TextDecoder => new TextDecoder('utf-8', { fatal: true })

export function eventFilter(filterText: (text: string) => string): AnswerTransform {
  const decoder = utf8()
  const cutLines = lineCutter()
  let fields: string[] = []
  let size = 0
  return {
    isWhole: false,
    take(chunk) {
      let sent = ''
      for (const line of cutLines(decoder.decode(chunk, { stream: true }))) {
        size += line.length
        if (line !== '') fields.push(line)
        else {
          sent += `${eventText(fields, filterText)}\n\n`
          fields = []
          size = 0
        }
      }
      if (size + cutLines.held() > mostHeld) throw new Error('an event is too large to be filtered')
      return sent === '' ? null : Buffer.from(sent)
    },
    // HTML §9.2.6: an event cut off by the end of the stream is discarded.
    end: () => null,
  }
}

/** `id`, `retry` and events of the transport itself (`endpoint`, of MCP 2024-11-05) are unchanged. */
function eventText(lines: readonly string[], filterText: (text: string) => string): string {
  const data = lines.filter(isData).map((line) => line.replace(/^data:? ?/, ''))
  const rest = lines.filter((line) => !isData(line))
  const text = data.join('\n')
  const type = lines.findLast((line) => /^event(?::|$)/.test(line))?.replace(/^event:? ?/, '')
  const isMessage = type === undefined || type === '' || type === 'message'
  const sent = text === '' || (!isMessage && !isJson(text)) ? data : [filterText(text)]
  return [...rest, ...sent.map((line) => `data: ${line}`)].join('\n')
}

const isData = (line: string): boolean => /^data(?::|$)/.test(line)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** HTML §9.2.5: a line ends with CR, LF or both, and one stream may have them all. */
function lineCutter() {
  let held = ''
  let endedWithCr = false
  const cut = (text: string): readonly string[] => {
    if (text === '') return []
    const fresh = endedWithCr && text.startsWith('\n') ? text.slice(1) : text
    endedWithCr = text.endsWith('\r')
    const [first = '', ...others] = fresh.split(/\r\n|\n|\r/)
    const lines = [held + first, ...others]
    held = lines.pop() ?? ''
    return lines
  }
  return Object.assign(cut, { held: () => held.length })
}
