# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""The statements of sessions, as instructions (`opcodes`)."""

from __future__ import annotations

import math
from array import array
from typing import Any

from serq_interpreter.machine.native.loops import opcodes, stages

INF = math.inf
SLACK = 1e-9


class Sessions(stages.Stages):
    """Who goes on, and what that does."""

    def __init__(self, tables: Any, books: Any, hooks: Any) -> None:
        super().__init__(tables, books, hooks)
        self.code = tables.code
        self.constants = tables.constants
        self.functions = tables.functions
        self.turn_place = tables.turn_place
        self.stage_of = tables.stage_of
        self.after: array[int] = tables.after
        self.other: array[int] = tables.other
        self.samples = books.samples
        self.places = books.places
        self.sample_times = books.sample_times
        self.sample_serials = books.sample_serials
        self.sample_turns = books.sample_turns
        self.filled = books.filled
        self.stack = array("d", bytes(8 * 256))
        self.first_ready = self.last_ready = opcodes.NOBODY
        self.live = self.ended = self.turns = self.most_live = self.most_readies = 0
        self.live_area = self.live_since = self.last_end = 0.0
        self.backlog_limit = INF
        self.gap = 0.0

    def change_live(self, step: int) -> int:
        """A session arrives or ends (07 §2)."""
        if self.measuring:
            self.live_area += self.live * (self.now - self.live_since)
            self.live_since = self.now
            if self.seconds > self.backlog_limit:
                self.backlog_limit = self.hooks.pass_backlog(self.seconds, self.live_area, self.live)
        self.live += step
        if step > 0 and self.live > self.most_live:
            raise self.hooks.crowded(self.now)
        return 0

    def make_ready(self, row: int) -> int:
        """Count how often the session becomes ready at this instant (05 §12)."""
        if self.instant[row] == self.now:
            self.ready_count[row] += 1
            if self.ready_count[row] > self.most_readies:
                raise self.hooks.spinning(self.now, self.serial[row], self.counter[row])
        else:
            self.instant[row] = self.now
            self.ready_count[row] = 1
        return 0

    # ------------------------------------------------------------------ statements

    def observe(self, row: int, i: int, value: float) -> int:
        """A sample, with its place where that is kept."""
        if not self.measuring:
            return 0
        n = self.filled[i]
        at = i * opcodes.SAMPLES + n
        self.samples[at] = value
        if self.places:
            self.sample_times[at] = self.seconds
            self.sample_serials[at] = self.serial[row]
            self.sample_turns[at] = self.vector[row * self.width + self.turn_place]
        self.filled[i] = n + 1
        if n + 1 == opcodes.SAMPLES:
            self.hooks.hand_over(i)
        return 0

    def begin_work(self, row: int, state: int, work: float) -> int:
        """A run: at its stage, or to the back of those who are ready when there is nothing to do (05 §2)."""
        self.counter[row] = self.after[state]
        if work > 0.0:
            self.join(self.stage_of[state], row, work)
            return 0
        if not work >= -SLACK:
            raise self.hooks.bad_work(self.now, self.serial[row], state, work)
        self.make_ready(row)
        self.link[row] = opcodes.NOBODY
        if self.first_ready >= 0:
            self.link[self.last_ready] = row
        else:
            self.first_ready = row
        self.last_ready = row
        return 0

    def end(self, row: int) -> int:
        """The session is over: its row is free."""
        self.last_end = self.now
        if self.measuring:
            self.ended += 1
        self.change_live(-1)
        self.release(row)
        return 0

    def begin_turn(self, row: int, draws: int) -> int:
        """A turn begins; its block draws or not."""
        self.turn[row] += 1
        if self.measuring:
            self.turns += 1
        if self.turn_place >= 0:
            self.vector[row * self.width + self.turn_place] += 1.0
        if draws:
            self.open_block(self.turn[row])
        return 0

    def branch(self, row: int, state: int, value: float, at: int) -> int:
        """Where the code goes on after a guard."""
        if value == 1.0:
            return at
        if value == 0.0:
            return self.other[state]
        raise self.hooks.bad_guard(self.now, self.serial[row], state, value)

    # ------------------------------------------------------------------ instructions

    def go(self, row: int, at: int) -> int:
        """Execute the code from `at` on until the session blocks or ends, or the gap that was asked for is there."""
        code, stack = self.code, self.stack
        base = row * self.width
        top = 0
        while True:
            op, argument = code[at], code[at + 1]
            at += 2
            if op == opcodes.CONST:
                stack[top] = self.constants[argument]
                top += 1
            elif op == opcodes.ATTR:
                stack[top] = self.vector[base + argument]
                top += 1
            elif op == opcodes.NOW:
                stack[top] = self.seconds
                top += 1
            elif op <= opcodes.CALL_2:
                top = self.operate(op, argument, top)
            elif op == opcodes.STORE:
                top -= 1
                self.vector[base + argument] = stack[top]
            elif op == opcodes.DROP:
                top -= 1
            elif op == opcodes.OBSERVE:
                top -= 1
                self.observe(row, argument, stack[top])
            elif op == opcodes.RUN:
                self.begin_work(row, argument, stack[top - 1])
                return 0
            elif op == opcodes.END:
                self.end(row)
                return 0
            elif op == opcodes.DRAW_EXP:
                stack[top - 1] = self.exponential(row, stack[top - 1])
            elif op == opcodes.JUMP:
                at = argument
            elif op == opcodes.JUMP_FALSE:
                top -= 1
                if stack[top] == 0.0:
                    at = argument
            elif op == opcodes.BRANCH:
                top -= 1
                at = self.branch(row, argument, stack[top], at)
            elif op == opcodes.INIT:
                self.open_block(0)
            elif op == opcodes.TURN:
                self.begin_turn(row, argument)
            elif op == opcodes.OWN:
                self.source = opcodes.FROM_OWN
            elif op == opcodes.GAP:
                self.gap = stack[top - 1]
                return 0
            else:
                top = self.draw(op, argument, row, top)

    def draw(self, op: int, argument: int, row: int, top: int) -> int:
        """The other distributions; the height of the stack afterwards."""
        stack = self.stack
        x = stack[top - 1]
        if op == opcodes.DRAW_BERNOULLI:
            stack[top - 1] = 1.0 if self.uniform(row) < x else 0.0
            return top
        first = stack[top - 2]
        if op == opcodes.DRAW_UNIFORM:
            stack[top - 2] = first + (x - first) * self.uniform(row)
        elif op == opcodes.DRAW_H2:
            stack[top - 2] = self.hyperexponential(row, first, x)
        else:
            stack[top - 2] = self.erlang(row, argument, first, x)
        return top - 1

    def operate(self, op: int, argument: int, top: int) -> int:
        """An operator on the top of the stack; the height of the stack afterwards."""
        stack = self.stack
        x = stack[top - 1]
        if op == opcodes.NEG:
            stack[top - 1] = -x
            return top
        if op == opcodes.NOT:
            stack[top - 1] = 1.0 if x == 0.0 else 0.0
            return top
        if op == opcodes.ABS:
            stack[top - 1] = math.fabs(x)
            return top
        if op == opcodes.FLOOR:
            stack[top - 1] = math.copysign(float(math.floor(x)), x) if -INF < x < INF else x
            return top
        if op == opcodes.CEIL:
            stack[top - 1] = math.copysign(float(math.ceil(x)), x) if -INF < x < INF else x
            return top
        if op == opcodes.CALL_1:
            stack[top - 1] = self.functions[argument](x)
            return top
        first = stack[top - 2]
        if op == opcodes.ADD:
            x = first + x
        elif op == opcodes.SUB:
            x = first - x
        elif op == opcodes.MUL:
            x = first * x
        elif op == opcodes.DIV:
            x = first / x if x != 0.0 else self.hooks.divide(first, x)
        elif op == opcodes.LT:
            x = 1.0 if first < x else 0.0
        elif op == opcodes.LE:
            x = 1.0 if first <= x else 0.0
        elif op == opcodes.GT:
            x = 1.0 if first > x else 0.0
        elif op == opcodes.GE:
            x = 1.0 if first >= x else 0.0
        elif op == opcodes.EQ:
            x = 1.0 if first == x else 0.0
        elif op == opcodes.NE:
            x = 1.0 if first != x else 0.0
        elif op == opcodes.MIN:
            x = first if first < x or x != x else x
        elif op == opcodes.MAX:
            x = first if first > x or x != x else x
        else:
            x = self.functions[argument](first, x)
        stack[top - 2] = x
        return top - 1
