-- Neovim 0.7 and later, headless: opens SERQ_FILE with the configuration of editors/neovim, prints one line of JSON.
-- SERQ_SERVER: the command as JSON; SERQ_AT: "LINE:COL" (1-based) to ask about.
vim.opt.swapfile = false
local ok, err = pcall(function()
  vim.opt.runtimepath:prepend(vim.env.SERQ_EDITOR)
  vim.cmd('filetype plugin on | syntax on')
  vim.cmd('runtime! ftdetect/serq.vim')
  local serq = require('serq_lsp')
  serq.setup({ cmd = vim.json.decode(vim.env.SERQ_SERVER) })
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.SERQ_FILE))
  local buffer = vim.api.nvim_get_current_buf()
  local function client()
    return (vim.lsp.get_clients or vim.lsp.get_active_clients)({ bufnr = buffer })[1]
      or vim.tbl_values(vim.lsp.buf_get_clients and vim.lsp.buf_get_clients(buffer) or {})[1]
  end
  vim.wait(30000, function()
    local c = client()
    return c ~= nil and (c.initialized or c.server_capabilities ~= nil)
  end, 50)
  vim.wait(30000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
  local out = {
    filetype = vim.bo.filetype, comments = vim.bo.commentstring, syntax = vim.b.current_syntax or '',
    commands = vim.tbl_keys(vim.api.nvim_get_commands({})), diagnostics = {},
  }
  for _, d in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(out.diagnostics, { line = d.lnum + 1, col = d.col + 1, code = d.code, message = d.message })
  end
  local line, col = vim.env.SERQ_AT:match('^(%d+):(%d+)$')
  local function ask(method)
    local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = line - 1, character = col - 1 } }
    for _, answer in pairs(vim.lsp.buf_request_sync(buffer, method, params, 15000) or {}) do
      if answer.result then return answer.result end
    end
    return vim.NIL
  end
  out.hover = ask('textDocument/hover')
  out.definition = ask('textDocument/definition')
  out.status = serq.status(buffer)
  io.stdout:write(vim.json.encode(out) .. '\n')
  local c = client()
  if c then vim.lsp.stop_client(c.id) end
  vim.wait(300, function() return false end)
end)
if not ok then io.stderr:write(tostring(err) .. '\n') end
vim.cmd(ok and 'qa!' or 'cquit')
