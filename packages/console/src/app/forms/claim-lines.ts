/** Declared claims as lines of text: `department = attributes.department for profile in userinfo`, `plan = "gold"`. */

interface Mapping {
  readonly claim: string
  readonly from?: string
  readonly value?: unknown
  readonly scope?: string
  readonly in?: readonly string[]
}

const shape = /^(\S+)\s*=\s*(.+?)(?:\s+for\s+([^\s"\\]+))?(?:\s+in\s+([a-z_,]+))?$/

export const claimLines = (mappings: readonly unknown[] | undefined): readonly string[] =>
  ((mappings ?? []) as readonly Mapping[]).map(({ claim, from, value, scope, in: where }) =>
    [
      `${claim} = ${from ?? JSON.stringify(value)}`,
      ...(scope === undefined ? [] : [`for ${scope}`]),
      ...(where === undefined ? [] : [`in ${where.join(',')}`]),
    ].join(' '),
  )

/** A line that says nothing is left out; one that cannot be read is sent as it is, and the server says what is wrong. */
export const claimMappings = (lines: readonly string[]): readonly Mapping[] =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, claim, source = '', scope, where] = shape.exec(line) ?? []
      if (claim === undefined) return { claim: line }
      return {
        claim,
        ...sourceOf(source),
        ...(scope === undefined ? {} : { scope }),
        ...(where === undefined ? {} : { in: where.split(',') }),
      }
    })

function sourceOf(text: string): Pick<Mapping, 'from' | 'value'> {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { from: text }
  }
}
