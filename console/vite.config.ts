import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env['CHAIRSIDE_API'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/api': server } },
})
