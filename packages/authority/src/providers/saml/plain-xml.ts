/**
 * Whether XML is written so plainly that our textual checks and the library's parser read it alike. The parser is
 * lenient: it accepts a value without quotes, an attribute without `=`. Our checks find the content of a tag only in
 * its usual form, and an answer needs no other: comments, document types, entities and CDATA have each misled a parser.
 */

/**
 * A start or end tag by XML 1.0 §3.1, or the declaration. A `<` in a value ends the match, so matching takes linear
 * time.
 */
const tag =
  /<(?:\/?[\p{L}\p{M}\p{N}_:.-]+(?:[\t\n\r ]+[\p{L}\p{M}\p{N}_:.-]+[\t\n\r ]*=[\t\n\r ]*(?:"[^"<]*"|'[^'<]*'))*[\t\n\r ]*\/?|\?xml[\t\n\r ][^<>]*\?)>/gu
const unknownReference = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/

export const isPlain = (xml: string): boolean => !unknownReference.test(xml) && !xml.replaceAll(tag, '').includes('<')

/**
 * The value of an attribute that names an algorithm. It ends at a `<` as well: something similar in a text must not
 * extend over the next tag and hide that tag's value.
 */
const algorithm = /Algorithm[\t\n\r ]*=[\t\n\r ]*["']([^"'<]*)/gi
/** SHA-1, MD5 and shared secrets are not accepted, and no name of an algorithm needs a character reference. */
const weak = /sha1|md5|hmac|&/i

/** Only for XML that is plain. */
export const namesWeakAlgorithm = (xml: string): boolean =>
  [...xml.matchAll(algorithm)].some(([, name = '']) => weak.test(name))
