/** A reporter that says nothing and ends the process at the first test that fails. */
import { Transform } from 'node:stream'

const firstFailure = new Transform({
  writableObjectMode: true,
  transform(event: { readonly type: string }, _, done) {
    if (event.type === 'test:fail') process.exit(1)
    done()
  },
})
// Node's runner takes a reporter from the default export alone.
// oxlint-disable-next-line import/no-default-export -- see above
export default firstFailure
