import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['.toolchain/', 'build/', 'dist/', 'site/', 'web/wasm/', 'node_modules/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended, tseslint.configs.stylistic],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.tests.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A promise that nobody waits for is an error that nobody sees.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // An index that is also a position reads better as a plain loop.
      '@typescript-eslint/prefer-for-of': 'off',
      // Lit declares reactive properties with `declare`; an empty override documents that nothing is done.
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.js', '**/*.mjs'],
    rules: {
      eqeqeq: 'error',
      'no-console': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Exports are named (architecture.md).' },
      ],
    },
  },
  // Configuration files are read through their default export.
  { files: ['*.config.*', '**/*.config.*'], rules: { 'no-restricted-syntax': 'off' } },
  // A text is a module of its own whose default export is the text, so that it can be imported lazily by name.
  { files: ['web/texts/**'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['tools/**', 'command/**', 'bench/**', 'tests/**', 'web/**/*.mjs', '*.js'],
    languageOptions: { globals: globals.node },
  },
  { files: ['web/**/*.ts'], languageOptions: { globals: globals.browser } },
);
