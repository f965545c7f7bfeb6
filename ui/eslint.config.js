import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist', 'dist-test', 'test-results', 'artefacts', 'src/api/types.ts'] },
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      'svelte/no-at-html-tags': 'error',
      // Plain maps are plain on purpose: what is drawn from is reactive where it must be.
      'svelte/prefer-svelte-reactivity': 'off',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['@tauri-apps/*'], message: 'Only src/host/tauri.ts talks to Tauri.' },
          ],
        },
      ],
    },
  },
  { files: ['src/host/tauri.ts', 'tests/host.test.ts'], rules: { 'no-restricted-imports': 'off' } },
);
