(_ "{" "}" @end) @indent
(_ "(" ")" @end) @indent
