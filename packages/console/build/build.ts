/** Builds the console to where the server reads it: files whose names carry a hash, each also compressed. Run by `npm ci`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const dist = join(root, '../server/src/console/dist')

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: dist,
    emptyOutDir: true,
    target: 'es2023',
    // light-dark() as it is written: browsers have it since 2024.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The policy of the page allows nothing inline, data: addresses included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
})

for (const file of globSync('**/*.{js,css,svg,html}', { cwd: dist })) {
  const bytes = readFileSync(join(dist, file))
  writeFileSync(join(dist, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  writeFileSync(join(dist, `${file}.br`), brotliCompressSync(bytes, { params: quality }))
}
