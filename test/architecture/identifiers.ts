/** The identifiers of a source text: what is left when comments, strings and the text of templates are taken out. */

/** A comment, a string, a regular expression where a value may stand, or the end or beginning of a template's text. */
const silent =
  /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=[(,=:[!&|?{};>\s])\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g

export function identifiersIn(text: string): ReadonlySet<string> {
  return new Set(withoutTemplates(text.replaceAll(silent, ' ')).match(/[A-Za-z_$][\w$]*/g) ?? [])
}

/** Keeps the expressions of templates: they are code in the middle of text. */
function withoutTemplates(text: string): string {
  let kept = ''
  /** For each template or brace we are inside of, whether it is the text of a template. */
  const inside: boolean[] = []
  for (let i = 0; i < text.length; i++) {
    const isText = inside.at(-1) === true
    if (text[i] === '`') {
      if (isText) inside.pop()
      else inside.push(true)
    } else if (isText) {
      if (text[i] === '\\') i++
      else if (text.startsWith('${', i)) {
        inside.push(false)
        i++
      }
    } else {
      if (text[i] === '{') inside.push(false)
      else if (text[i] === '}') inside.pop()
      kept += text[i] ?? ''
    }
    if (isText || text[i] === '`') kept += ' '
  }
  return kept
}

/** `openHTTPDoor2` and `open-http-door` are made of the same words. */
export const wordsOf = (name: string): readonly string[] =>
  name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? []
