import { defineConfig } from 'vitest/config';
import base from './vitest.config';

// Pictures are looked at, not checked, so they are made only when asked for.
export default defineConfig({ ...base, test: { ...base.test, include: ['tests/pictures.ts'] } });
