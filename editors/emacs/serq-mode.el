;;; serq-mode.el --- Major mode for serQ programs  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Colours, indentation, imenu, and eglot with the server `serq-lsp'.
;; Emacs 29 and later with the tree-sitter grammar may use `serq-ts-mode' instead.

;;; Code:

(require 'prog-mode)
(require 'serq-words)

(defgroup serq nil
  "Programs in serQ, the language of LLM-serving deployments."
  :group 'languages)

(defcustom serq-indent-offset 2
  "How far the inside of braces is indented."
  :type 'integer
  :safe #'integerp)

(defcustom serq-server-command '("serq-lsp" "lsp")
  "The command that starts the language server."
  :type '(repeat string))

(defvar serq-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    ;; A string has no escapes: a backslash is a character like any other.
    (modify-syntax-entry ?\\ "." table)
    table)
  "Syntax table of `serq-mode'.")

(defconst serq-mode-font-lock-keywords
  (let ((word (lambda (words) (regexp-opt words 'symbols)))
        (name "\\([[:alpha:]_][[:alnum:]_]*\\)"))
    `((,(concat "\\_<def\\_>[ \t]+" name) 1 font-lock-function-name-face)
      (,(concat "\\_<let\\_>[ \t]+" name) 1 font-lock-constant-face)
      (,(concat "\\_<\\(?:pool\\|stage\\|queue\\)\\_>[ \t]+" name) 1 font-lock-type-face)
      (,(concat "\\_<\\(?:gauge\\|claim\\|observe\\|set\\|choose\\|mark\\)\\_>[ \t]+" name) 1 font-lock-variable-name-face)
      (,(concat "~[ \t]*" name) 1 font-lock-builtin-face)
      (,(concat (funcall word serq-words-function) "[ \t]*(") 1 font-lock-builtin-face)
      (,(funcall word serq-words-retired) . font-lock-warning-face)
      (,(funcall word (append serq-words-control serq-words-statement serq-words-keyword)) . font-lock-keyword-face)
      (,(funcall word serq-words-kind) . font-lock-type-face)
      (,(funcall word (append serq-words-supplied serq-words-constant)) . font-lock-constant-face)))
  "Colours by words: no word of serQ is reserved, so this is a guess.")

(defvar serq-mode-imenu-generic-expression
  '(("Pools" "^\\s-*pool\\s-+\\([[:alnum:]_]+\\)" 1)
    ("Stages" "^\\s-*stage\\s-+\\([[:alnum:]_]+\\)" 1)
    ("Queues" "^\\s-*queue\\s-+\\([[:alnum:]_]+\\)" 1)
    ("Definitions" "^\\s-*def\\s-+\\([[:alnum:]_]+\\)" 1)
    ("Constants" "^\\s-*let\\s-+\\([[:alnum:]_]+\\)" 1)
    ("Claims" "^\\s-*claim\\s-+\\([[:alnum:]_]+\\)" 1)
    ("Gauges" "^\\s-*gauge\\s-+\\([[:alnum:]_]+\\)" 1)))

(defun serq-mode-indent-line ()
  "Indent a line by the brackets that are open at its start."
  (interactive)
  (let* ((state (save-excursion (syntax-ppss (line-beginning-position))))
         (closing (save-excursion (back-to-indentation) (looking-at-p "[]})]")))
         (depth (max 0 (- (car state) (if closing 1 0))))
         (offset (- (current-column) (current-indentation))))
    (unless (nth 3 state)
      (indent-line-to (* serq-indent-offset depth))
      (when (> offset 0) (forward-char offset)))))

;;;###autoload
(define-derived-mode serq-mode prog-mode "serQ"
  "Major mode for serQ programs."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\)\\s-*")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'serq-mode-indent-line)
  (setq-local electric-indent-chars (append "{}()\n" electric-indent-chars))
  (setq-local font-lock-defaults '(serq-mode-font-lock-keywords))
  (setq-local imenu-generic-expression serq-mode-imenu-generic-expression))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.sq\\'" . serq-mode))

;;; Eglot

(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function eglot--uri-to-path "eglot")
(declare-function eglot-uri-to-path "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defvar-local serq-status nil
  "What the server last said about the run of this program: a property list.")

(defun serq--uri-to-path (uri)
  "The file that URI names, by eglot's function: Emacs 30 renamed it."
  (if (fboundp 'eglot-uri-to-path) (eglot-uri-to-path uri) (eglot--uri-to-path uri)))

(defun serq-contact (&rest _)
  "How eglot starts the server."
  (append serq-server-command
          `(:initializationOptions (:protocol 1 :client (:name "emacs" :version ,emacs-version)))))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs '((serq-mode serq-ts-mode) . serq-contact))
  ;; Notifications that go beyond the protocol: without these eglot would warn about each.
  (cl-defmethod eglot-handle-notification (_server (_method (eql serq/status)) &rest status &key uri &allow-other-keys)
    "Keep what the run of a program is doing."
    (let ((buffer (find-buffer-visiting (serq--uri-to-path uri))))
      (when buffer
        (with-current-buffer buffer
          (setq serq-status status)
          (force-mode-line-update)))))
  (cl-defmethod eglot-handle-notification (_server (_method (eql serq/results)) &rest _)
    "Results are shown by hints and hovers."
    nil))

(defun serq-execute (command &optional options)
  "Ask the server to carry out COMMAND about this program, with OPTIONS.
An answer that has a text is shown."
  (let* ((uri (plist-get (eglot--TextDocumentIdentifier) :uri))
         (answer (jsonrpc-request (or (eglot-current-server) (user-error "The serQ server is not running"))
                                  :workspace/executeCommand
                                  `(:command ,command :arguments ,(if options (vector uri options) (vector uri)))))
         (text (and (listp answer) (plist-get answer :text))))
    (when (stringp text)
      (with-current-buffer (get-buffer-create "*serQ*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert text))
        (goto-char (point-min))
        (special-mode)
        (display-buffer (current-buffer))))
    answer))

(defmacro serq--define-command (name command doc)
  "Define the command NAME that asks for COMMAND; DOC describes it."
  `(defun ,name () ,doc (interactive) (serq-execute ,command)))

(serq--define-command serq-run "serq.run" "Run the simulation of this program.")
(serq--define-command serq-stop "serq.stop" "Stop the simulation of this program.")
(serq--define-command serq-pin-baseline "serq.pinBaseline" "Keep the results as the baseline.")
(serq--define-command serq-compare "serq.compare" "Compare the results with the baseline.")
(serq--define-command serq-explore "serq.explore" "Explore all orders.")
(serq--define-command serq-explain-slowest "serq.explainSlowest" "Explain the slowest request.")
(serq--define-command serq-events "serq.events" "Open the event log of the last run.")
(serq--define-command serq-automaton "serq.automaton" "Show the session automaton.")

(defun serq-sweep (constant)
  "Sweep CONSTANT from half to twice its value."
  (interactive (list (read-string "Constant: " (thing-at-point 'symbol t))))
  (serq-execute "serq.sweep" (list :constant constant)))

(define-key serq-mode-map (kbd "C-c C-c") #'serq-run)
(define-key serq-mode-map (kbd "C-c C-k") #'serq-stop)
(define-key serq-mode-map (kbd "C-c C-p") #'serq-pin-baseline)
(define-key serq-mode-map (kbd "C-c C-d") #'serq-compare)
(define-key serq-mode-map (kbd "C-c C-s") #'serq-sweep)
(define-key serq-mode-map (kbd "C-c C-e") #'serq-explain-slowest)

(provide 'serq-mode)

;;; serq-mode.el ends here
