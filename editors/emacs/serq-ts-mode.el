;;; serq-ts-mode.el --- serQ with tree-sitter  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; For Emacs 29 and later, with the grammar `serq' installed (README.md says how). Where neither is there, loading this
;; file changes nothing and `serq-mode' is used.

;;; Code:

(require 'serq-mode)

(declare-function treesit-available-p "treesit.c")
(declare-function treesit-font-lock-rules "treesit")
(declare-function treesit-major-mode-setup "treesit")
(declare-function treesit-node-text "treesit")
(declare-function treesit-node-child-by-field-name "treesit.c")
(declare-function treesit-parser-create "treesit.c")
(declare-function treesit-ready-p "treesit")
(defvar treesit-font-lock-settings)
(defvar treesit-font-lock-feature-list)
(defvar treesit-simple-indent-rules)
(defvar treesit-simple-imenu-settings)
(defvar treesit-defun-type-regexp)

(defvar serq-ts-mode--indent-rules
  '((serq
     ((node-is "}") parent-bol 0)
     ((node-is ")") parent-bol 0)
     ((parent-is "program") column-0 0)
     (no-node parent-bol serq-indent-offset)
     (catch-all parent-bol serq-indent-offset)))
  "Indentation: inside braces and brackets, one step from the line that opens them.")

(defun serq-ts-mode--font-lock ()
  "The rules of colour, made when tree-sitter is there."
  (treesit-font-lock-rules
   :language 'serq :feature 'comment
   '((comment) @font-lock-comment-face)
   :language 'serq :feature 'string
   '((string) @font-lock-string-face)
   :language 'serq :feature 'number
   '((number) @font-lock-constant-face)
   :language 'serq :feature 'definition
   '((def_item name: (identifier) @font-lock-function-name-face)
     (let_item name: (identifier) @font-lock-constant-face)
     (pool_item name: (identifier) @font-lock-type-face)
     (pool_part name: (identifier) @font-lock-type-face)
     (stage_item name: (identifier) @font-lock-type-face)
     (queue_item name: (identifier) @font-lock-type-face)
     (gauge_item name: (identifier) @font-lock-variable-name-face)
     (claim_item name: (identifier) @font-lock-variable-name-face)
     (set_stmt name: (identifier) @font-lock-variable-name-face)
     (observe_stmt name: (identifier) @font-lock-variable-name-face)
     (entry verb: (identifier) @font-lock-function-name-face))
   :language 'serq :feature 'reference
   '((reference name: (identifier) @font-lock-type-face)
     (call function: (identifier) @font-lock-builtin-face)
     (draw distribution: (identifier) @font-lock-builtin-face)
     (definition_use name: (identifier) @font-lock-function-name-face))
   :language 'serq :feature 'keyword
   `([,@(serq-ts-mode--tokens)] @font-lock-keyword-face)))

(defun serq-ts-mode--tokens ()
  "Words that are tokens of the grammar of their own."
  '("let" "def" "pool" "stage" "workload" "session" "server" "queue" "share" "gauge" "claim" "run" "use"
    "request" "set" "observe" "hold" "grow" "load" "drop" "release" "fork" "join" "choose" "mark" "prefill" "decode"
    "tool" "transfer" "end" "branch" "loop" "else" "hidden" "init" "turn" "arrive" "horizon" "warmup" "seed"))

(defun serq-ts-mode--name (node)
  "The name that NODE declares."
  (treesit-node-text (treesit-node-child-by-field-name node "name") t))

;;;###autoload
(define-derived-mode serq-ts-mode serq-mode "serQ"
  "Major mode for serQ programs, with tree-sitter."
  (when (treesit-ready-p 'serq)
    (treesit-parser-create 'serq)
    (setq-local treesit-font-lock-settings (serq-ts-mode--font-lock))
    (setq-local treesit-font-lock-feature-list '((comment definition) (keyword string) (number reference)))
    (setq-local treesit-simple-indent-rules serq-ts-mode--indent-rules)
    (setq-local treesit-defun-type-regexp "_item\\'")
    (setq-local treesit-simple-imenu-settings
                '(("Pool" "\\`pool_item\\'" nil serq-ts-mode--name)
                  ("Stage" "\\`stage_item\\'" nil serq-ts-mode--name)
                  ("Queue" "\\`queue_item\\'" nil serq-ts-mode--name)
                  ("Definition" "\\`def_item\\'" nil serq-ts-mode--name)
                  ("Constant" "\\`let_item\\'" nil serq-ts-mode--name)))
    (treesit-major-mode-setup)))

;;;###autoload
(when (and (fboundp 'treesit-available-p) (treesit-available-p) (treesit-ready-p 'serq t))
  (add-to-list 'auto-mode-alist '("\\.sq\\'" . serq-ts-mode)))

(provide 'serq-ts-mode)

;;; serq-ts-mode.el ends here
