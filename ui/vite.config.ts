import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// `--mode test` builds the page with the in-memory host and its scenes; the default build has neither.
export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: mode === 'test' ? 'dist-test' : 'dist',
    target: ['es2022', 'safari16.4'],
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5183, strictPort: true },
}));
