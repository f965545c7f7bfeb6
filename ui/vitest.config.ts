import { playwright } from '@vitest/browser-playwright';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The browser of the system: none is downloaded.
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  plugins: [svelte()],
  // The vectors that the hub is held to as well lie beside this folder.
  server: { fs: { allow: ['.', '../tests/vectors'] } },
  // Found late, these would reload the page in the middle of a test.
  optimizeDeps: { include: ['fast-check', 'axe-core', 'virtua/svelte', 'marked', 'dompurify'] },
  test: {
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    testTimeout: 20_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath, args: ['--no-sandbox'] } }),
      instances: [{ browser: 'chromium', viewport: { width: 1200, height: 800 } }],
    },
  },
});
