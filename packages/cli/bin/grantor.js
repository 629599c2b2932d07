#!/usr/bin/env node
// The entry of the command. Written in old syntax, so that an old Node can read it and say what to do.
import fs from 'fs'
import module from 'module'
import { fileURLToPath } from 'url'
import v8 from 'v8'

var version = process.versions.node
if (Number(version.split('.')[0]) < 26) {
  process.stderr.write(
    'grantor needs Node 26 or newer, and this is ' + version + ': run `npm ci`, which brings one, then `npx grantor`\n',
  )
  process.exitCode = 1
} else {
  // Compiled code is kept beside the installed packages, where only their owner may write: half the time to start.
  var packages = new URL('../../../node_modules', import.meta.url)
  if (fs.existsSync(packages)) {
    var cache = fileURLToPath(packages) + '/.cache/grantor'
    module.enableCompileCache(cache)
    // For the threads and processes that this one begins.
    process.env.NODE_COMPILE_CACHE = cache
  }

  // What would optimize the code that starts a server makes that no shorter, and takes 20 MiB that Node does not give
  // back. It begins when the server serves (packages/server/src/heap.ts).
  if (process.argv[2] === 'start') {
    v8.setFlagsFromString('--no-opt')
    v8.setFlagsFromString('--no-maglev')
  }

  // In the repository the source is run as it is; a published package holds the same program compiled.
  var source = new URL('../src/main.ts', import.meta.url)
  var program = fs.existsSync(source) ? source : new URL('../dist/main.js', import.meta.url)
  var bundle = new URL('../../../node_modules/.cache/command/', import.meta.url)
  void import((isCurrent(bundle) ? new URL('grantor.js', bundle) : program).href)
}

/** What `npm ci` put together (scripts/bundle/command.ts), while no source was written since. */
function isCurrent(bundle) {
  try {
    return JSON.parse(fs.readFileSync(new URL('sources.json', bundle), 'utf8')).every(function (source) {
      var found = fs.statSync(new URL('../../../' + source[0], import.meta.url))
      return found.mtimeMs + ' ' + found.size === source[1]
    })
  } catch {
    return false
  }
}
