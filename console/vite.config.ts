import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { antdStyles } from './antd-styles.ts'

const server = process.env['CHAIRSIDE_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), antdStyles()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1100,
    rolldownOptions: {
      output: {
        // What most screens need comes as one file: smaller than thirty in all, and asked for once.
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 12 }] },
      },
    },
  },
  server: {
    proxy: {
      '/api': {
        target: server,
        // A screen and a call: a browser's navigation gets the screen, as from the server (decisions §3).
        bypass: ({ url, headers }) =>
          url?.split('?')[0] === '/api/device/status' && headers.accept?.includes('text/html')
            ? '/index.html'
            : undefined,
      },
    },
  },
})
