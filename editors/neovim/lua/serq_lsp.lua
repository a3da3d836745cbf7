-- Starts the server and adds the commands :Serq*. Works from Neovim 0.7 on; `require('serq_lsp').setup()` is all it needs.
local M = {}

M.config = {
  cmd = { 'serq-lsp', 'lsp' },
  settings = { serq = {} },
  on_attach = nil,
}

--- The last `serq/status` of each file, for a status line: require('serq_lsp').status()
M.states = {}

local function root(file)
  local found = vim.fs and vim.fs.find({ 'pyproject.toml', '.git' }, { path = file, upward = true })[1]
  return found and vim.fs.dirname(found) or vim.fn.fnamemodify(file, ':h')
end

local function client_config(file)
  local v = vim.version()
  return {
    name = 'serq_lsp',
    cmd = M.config.cmd,
    root_dir = root(file),
    settings = M.config.settings,
    init_options = {
      protocol = 1,
      client = { name = 'neovim', version = v.major .. '.' .. v.minor .. '.' .. v.patch },
      settings = M.config.settings.serq,
    },
    on_attach = M.config.on_attach,
    handlers = {
      ['serq/status'] = function(_, status)
        M.states[status.uri] = status
        vim.cmd('redrawstatus')
      end,
      ['serq/results'] = function() end,
    },
  }
end

-- Before 0.8 there was no vim.lsp.start: one client per root, kept here.
local started = {}
local function start(buffer)
  local config = client_config(vim.api.nvim_buf_get_name(buffer))
  if vim.lsp.start then
    return vim.lsp.start(config, { bufnr = buffer })
  end
  local id = started[config.root_dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client(config)
    started[config.root_dir] = id
  end
  vim.lsp.buf_attach_client(buffer, id)
  return id
end

--- What the run of a buffer is doing, in a few words.
function M.status(buffer)
  local status = M.states[vim.uri_from_bufnr(buffer or 0)]
  if not status then return '' end
  return 'serQ: ' .. (status.state == 'idle' and status.verdict or status.state)
end

local function show(lines)
  vim.cmd('new')
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
end

--- Asks the server to carry out a command about the current file and shows its `text`, if the answer has one.
function M.execute(command, options)
  local arguments = { vim.uri_from_bufnr(0) }
  if options then arguments[2] = options end
  vim.lsp.buf_request(0, 'workspace/executeCommand', { command = command, arguments = arguments }, function(err, result)
    if err then return vim.notify(err.message, vim.log.levels.ERROR) end
    if type(result) == 'table' and type(result.text) == 'string' then show(vim.split(result.text, '\n')) end
  end)
end

local commands = {
  SerqRun = 'serq.run', SerqStop = 'serq.stop', SerqPinBaseline = 'serq.pinBaseline', SerqCompare = 'serq.compare',
  SerqExplore = 'serq.explore', SerqExplainSlowest = 'serq.explainSlowest', SerqAutomaton = 'serq.automaton',
  SerqEvents = 'serq.events',
}

local function add_commands()
  for name, command in pairs(commands) do
    vim.api.nvim_create_user_command(name, function() M.execute(command) end, { desc = command })
  end
  vim.api.nvim_create_user_command('SerqSweep', function(given)
    M.execute('serq.sweep', { constant = given.args })
  end, { nargs = 1, desc = 'serq.sweep CONSTANT' })
end

--- options: cmd, settings = { serq = { … } }, on_attach
function M.setup(options)
  M.config = vim.tbl_deep_extend('force', M.config, options or {})
  add_commands()
  if vim.lsp.config and vim.lsp.enable then
    local config = client_config('')
    config.name, config.root_dir = nil, nil
    vim.lsp.config('serq_lsp', config)
    vim.lsp.enable('serq_lsp')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'serq',
    callback = function(event) start(event.buf) end,
  })
end

return M
