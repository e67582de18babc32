;; Multiplies one vector with many.
(module
  (import "host" "memory" (memory 0))

  ;; The question has 16-bit integers, the vectors 8-bit ones, the products 32-bit ones. There is at least one vector, and
  ;; the dimensions are a multiple of 16.
  (func (export "run")
    (param $question i32) (param $vector i32) (param $product i32) (param $count i32) (param $dimensions i32)
    (local $place i32)
    (local $end i32)
    (local $numbers v128)
    (local $sums v128)
    (loop $vectors
      (local.set $sums (v128.const i64x2 0 0))
      (local.set $place (local.get $question))
      (local.set $end (i32.add (local.get $vector) (local.get $dimensions)))
      (loop $sixteen
        (local.set $numbers (v128.load align=1 (local.get $vector)))
        (local.set $sums
          (i32x4.add
            (local.get $sums)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $numbers))
              (v128.load align=1 (local.get $place)))))
        (local.set $sums
          (i32x4.add
            (local.get $sums)
            (i32x4.dot_i16x8_s
              (i16x8.extend_high_i8x16_s (local.get $numbers))
              (v128.load offset=16 align=1 (local.get $place)))))
        (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
        (local.set $place (i32.add (local.get $place) (i32.const 32)))
        (br_if $sixteen (i32.lt_u (local.get $vector) (local.get $end))))
      (i32.store
        (local.get $product)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
          (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
      (local.set $product (i32.add (local.get $product) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vectors (local.get $count)))))
