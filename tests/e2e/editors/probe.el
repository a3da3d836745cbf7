;;; probe.el --- asks the server through eglot and prints one line of JSON  -*- lexical-binding: t; -*-
;; SERQ_EDITOR: editors/emacs; SERQ_FILE: the program; SERQ_SERVER: the command as JSON; SERQ_AT: "LINE:COL", 1-based.

(package-initialize)
(require 'eglot)
(require 'json)
(require 'flymake)
(add-to-list 'load-path (getenv "SERQ_EDITOR"))
(require 'serq-mode)
(require 'serq-ts-mode)

(setq serq-server-command (append (json-parse-string (getenv "SERQ_SERVER")) nil)
      eglot-sync-connect 30
      eglot-connect-timeout 30)

(defun probe-wait (seconds predicate)
  (let ((end (+ (float-time) seconds)))
    (while (and (< (float-time) end) (not (funcall predicate)))
      (accept-process-output nil 0.05))))

(let* ((buffer (find-file-noselect (getenv "SERQ_FILE")))
       (at (mapcar #'string-to-number (split-string (getenv "SERQ_AT") ":"))))
  (with-current-buffer buffer
    (apply #'eglot--connect (eglot--guess-contact))
    (probe-wait 30 (lambda () (eglot-current-server)))
    (eglot--maybe-activate-editing-mode)
    ;; Flymake starts when Emacs is idle, which a batch never is.
    (probe-wait 30 (lambda () (flymake-start) (flymake-diagnostics)))
    (goto-char (point-min))
    (forward-line (1- (car at)))
    (forward-char (1- (cadr at)))
    (let* ((server (eglot-current-server))
           (ask (lambda (method) (jsonrpc-request server method (eglot--TextDocumentPositionParams) :timeout 15)))
           (hover (funcall ask :textDocument/hover))
           (definition (funcall ask :textDocument/definition)))
      (probe-wait 5 (lambda () serq-status))
      (princ (json-encode
              `((mode . ,(symbol-name major-mode))
                (comment . ,comment-start)
                (status . ,(or (plist-get serq-status :state) ""))
                (imenu . ,(mapcar #'car (imenu--make-index-alist t)))
                (indent . ,(save-excursion
                             (goto-char (point-min))
                             (re-search-forward "session {\n")
                             (serq-mode-indent-line)
                             (current-indentation)))
                (face . ,(save-excursion
                           (font-lock-ensure)
                           (goto-char (point-min))
                           (re-search-forward "^stage")
                           (symbol-name (get-text-property (match-beginning 0) 'face))))
                (diagnostics . ,(vconcat (mapcar (lambda (d) `((line . ,(line-number-at-pos (flymake-diagnostic-beg d)))
                                                               (message . ,(flymake-diagnostic-text d))))
                                                 (flymake-diagnostics))))
                (hover . ,hover)
                (definition . ,definition))))
      (princ "\n")
      (set-buffer-modified-p nil)
      (ignore-errors (eglot-shutdown server nil 3)))))

;;; probe.el ends here
