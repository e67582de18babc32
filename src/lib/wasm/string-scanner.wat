;; Finds the end of a JSON string. In memory, a table of the 256 bytes comes first: 1 for each that may follow a backslash.
;; Behind it lies a window of the JSON, and behind the window sixteen bytes more that may be looked at.
(module
  (import "host" "memory" (memory 1))

  ;; The place of the quote; 0 where there can be none; below zero, the negated place to go on from, where the window ends first.
  (func (export "endOf") (param $at i32) (param $limit i32) (result i32)
    (local $found i32)
    (local $place i32)
    (local $byte i32)
    (local $bytes v128)
    (loop $sixteen
      (if (i32.ge_u (local.get $at) (local.get $limit))
        (then (return (i32.sub (i32.const 0) (local.get $at)))))
      ;; One bit for each of sixteen bytes that is a quote, a backslash or a control character.
      (local.set $bytes (v128.load align=1 (local.get $at)))
      (local.set $found
        (i8x16.bitmask
          (v128.or
            (v128.or
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
            (i8x16.le_u (local.get $bytes) (i8x16.splat (i32.const 0x1f))))))
      ;; Escapes are found in the bits of one comparison: looking again behind each of them would take twice as long.
      (block $none
        (loop $next
          (br_if $none (i32.eqz (local.get $found)))
          (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $found))))
          (local.set $byte (i32.load8_u (local.get $place)))
          (if (i32.eq (local.get $byte) (i32.const 0x22))
            (then (return (local.get $place))))
          (if (i32.ne (local.get $byte) (i32.const 0x5c))
            (then (return (i32.const 0))))
          ;; An escape must be one of the table.
          (if (i32.eqz (i32.load8_u (i32.load8_u (i32.add (local.get $place) (i32.const 1)))))
            (then (return (i32.const 0))))
          ;; The bit of the backslash goes, and that of the letter behind it.
          (local.set $found
            (i32.and
              (local.get $found)
              (i32.xor (i32.shl (i32.const 3) (i32.ctz (local.get $found))) (i32.const -1))))
          ;; A letter beyond the sixteen is stepped over.
          (if (i32.eq (i32.sub (local.get $place) (local.get $at)) (i32.const 15))
            (then
              (local.set $at (i32.add (local.get $at) (i32.const 1)))
              (br $none)))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $sixteen))
    (i32.const 0)))
