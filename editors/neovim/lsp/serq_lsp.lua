-- Neovim 0.11 and later: `vim.lsp.enable('serq_lsp')` reads this file from the runtime path.
return {
  cmd = { 'serq-lsp', 'lsp' },
  filetypes = { 'serq' },
  root_markers = { 'pyproject.toml', '.git' },
  init_options = { protocol = 1, client = { name = 'neovim', version = tostring(vim.version()) } },
  settings = { serq = {} },
}
