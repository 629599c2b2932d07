/**
 * Whether XML is written so that we, who look at its letters, and the library's parser read the same. The parser forgives
 * much: a value without quotes, an attribute without `=`. What stands in a tag is found by its letters only where it is
 * written in the one usual way, and nothing else is of use to an answer: comments, document types, entities and CDATA
 * have each misled a parser.
 */

/** A start or end tag as XML 1.0 §3.1 has it, or the declaration; a `<` in a value ends the attempt, so it takes no longer than it is. */
const tag =
  /<(?:\/?[\p{L}\p{M}\p{N}_:.-]+(?:[\t\n\r ]+[\p{L}\p{M}\p{N}_:.-]+[\t\n\r ]*=[\t\n\r ]*(?:"[^"<]*"|'[^'<]*'))*[\t\n\r ]*\/?|\?xml[\t\n\r ][^<>]*\?)>/gu
const unknownReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/

export const isPlain = (xml: string): boolean => !unknownReference.test(xml) && !xml.replaceAll(tag, '').includes('<')

/**
 * The value of an attribute that names an algorithm. It ends at a `<` as well: what looks like one in a text must not
 * run on over the next tag and hide what that says.
 */
const algorithm = /Algorithm[\t\n\r ]*=[\t\n\r ]*["']([^"'<]*)/gi
/** Nothing rests on SHA-1 or MD5 any more, nothing on a secret that both sides would have, and no name needs a reference. */
const weak = /sha1|md5|hmac|&/i

/** Of XML that is plain. */
export const namesWeakAlgorithm = (xml: string): boolean =>
  [...xml.matchAll(algorithm)].some(([, name = '']) => weak.test(name))
