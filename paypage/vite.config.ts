import preact from '@preact/preset-vite'
import { defineConfig } from 'vite'

const server = process.env['CHAIRSIDE_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [preact()],
  build: {
    assetsDir: 'pay-assets',
    target: 'es2019',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': server } },
})
