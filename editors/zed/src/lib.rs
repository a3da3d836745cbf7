//! Starts `serq-lsp lsp`: the binary named in the settings, or the one on the PATH of the worktree's shell.

use zed_extension_api::{self as zed, settings::LspSettings, LanguageServerId, Result};

struct SerqExtension;

impl zed::Extension for SerqExtension {
    fn new() -> Self {
        SerqExtension
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &zed::Worktree) -> Result<zed::Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = match binary {
            Some(binary) => (binary.path, binary.arguments),
            None => (None, None),
        };
        let command = path
            .or_else(|| worktree.which("serq-lsp"))
            .ok_or_else(|| "serq-lsp is not on PATH: pip install serq-lsp".to_string())?;
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".into()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        let settings = LspSettings::for_worktree(id.as_ref(), worktree)?.settings.unwrap_or_default();
        Ok(Some(zed::serde_json::json!({ "serq": settings })))
    }
}

zed::register_extension!(SerqExtension);
