; Notes such as TODO inside comments, where the editor has a grammar for them.

((comment) @injection.content
  (#set! injection.language "comment"))
